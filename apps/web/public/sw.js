/**
 * Lets the app open while the server or the router is without power: the page and its files, as they were last loaded.
 * What boards and people do is never kept here. It comes from the network alone, so nothing old is ever shown as live.
 */
const cacheName = 'shell-2'
/** Files of releases that are gone fall out, oldest first. */
const filesMax = 300
const patienceMs = 4000
/** Its own headers let it post to a board: no other page may have them, and it works with no others. */
const setupPage = /^\/user\/devices\/new\/*$/i

// The page itself is kept from the start: what it was loaded with came before there was anybody to keep it.
self.addEventListener('install', (event) => {
  self.skipWaiting()
  const first = caches.open(cacheName).then((cache) => cache.addAll(['/', '/theme.js', '/favicon.svg']))
  event.waitUntil(first)
})

self.addEventListener('activate', (event) => {
  const forgetOlder = async () => {
    const names = await caches.keys()
    await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)))
    await self.clients.claim()
  }
  event.waitUntil(forgetOlder())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (pathname.startsWith('/assets/')) event.respondWith(hashedFile(request))
  else if (pathname === '/theme.js' || pathname === '/favicon.svg') event.respondWith(newest(request, pathname))
  else if (request.mode === 'navigate' && setupPage.test(pathname)) event.respondWith(fetch(request).catch(knownPage))
  else if (request.mode === 'navigate' && !/^\/(api|dev|docs|files|media|socket\.io)(\/|$)/.test(pathname))
    event.respondWith(newest(request, '/', isPage))
})

/** What a path answers that is not the app's own, as `/healthz`, is none. */
const isPage = (response) => response.headers.get('content-type')?.startsWith('text/html') === true

/** Without a network there is nothing better. */
async function knownPage() {
  const cache = await caches.open(cacheName)
  return (await cache.match('/', { ignoreVary: true })) ?? Response.error()
}

/** A file whose name changes with its content. */
async function hashedFile(request) {
  const cache = await caches.open(cacheName)
  // The page fetches its own files anew to have them kept, with other headers than their tags did.
  const known = await cache.match(request, { ignoreVary: true })
  if (known !== undefined) return known
  const response = await fetch(request)
  if (response.ok) {
    await cache.put(request, response.clone())
    const files = await cache.keys()
    await Promise.all(files.slice(0, Math.max(0, files.length - filesMax)).map((file) => cache.delete(file)))
  }
  return response
}

/** From the network; the last known one when that fails or takes too long. Every path of the app has the same page. */
async function newest(request, key, isWorthKeeping = () => true) {
  const cache = await caches.open(cacheName)
  const loading = fetch(request).then(async (response) => {
    if (response.ok && isWorthKeeping(response)) await cache.put(key, response.clone())
    return response
  })
  const known = await cache.match(key, { ignoreVary: true })
  if (known === undefined) return loading
  const late = new Promise((resolve) => setTimeout(() => resolve(known), patienceMs))
  return Promise.race([loading.catch(() => known), late])
}
