/**
 * Lets the app open while the server or the router is without power, from the page and files as they were last loaded.
 * Data of boards and people is never cached. It comes from the network alone, so stale data is never shown as live.
 */
const cacheName = 'shell-2'
/** Beyond this the oldest files are evicted: those of former releases, but not those that this one has in common with them. */
const filesMax = 300
/** URLs of the files that pages have asked for since the browser started this worker. */
const asked = new Set()
const patienceMs = 4000
/** Its own security headers let the setup page post to a board: no other page may have them, and it needs them. */
const setupPage = /^\/user\/devices\/new\/*$/i

// The page is cached at installation: it was loaded before there was a service worker to cache it.
self.addEventListener('install', (event) => {
  self.skipWaiting()
  const first = caches.open(cacheName).then((cache) => cache.addAll(['/', '/theme.js']))
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
  else if (pathname === '/theme.js') event.respondWith(newest(request, pathname))
  else if (request.mode === 'navigate' && setupPage.test(pathname)) event.respondWith(setupPageOf(request))
  else if (request.mode === 'navigate' && !/^\/(api|dev|docs|files|media|socket\.io)(\/|$)/.test(pathname))
    event.respondWith(newest(request, '/', isPage))
})

/** Other answers at a path, such as that of `/healthz`, are not the app's page. */
const isPage = (response) => response.headers.get('content-type')?.startsWith('text/html') === true

/** Whether a proxy answers for a server that is gone. */
const isOfProxy = (response) => response.status >= 500

/** Returns the network's answer, or the cached page where the network or the server is gone. */
async function setupPageOf(request) {
  const response = await fetch(request).catch(() => Response.error())
  const isUsable = response.type !== 'error' && !isOfProxy(response)
  return isUsable ? response : ((await cached('/')) ?? response)
}

/** Returns a cached answer; undefined if there is none, or if the browser cannot open its storage. */
async function cached(key) {
  try {
    const cache = await caches.open(cacheName)
    // `ignoreVary`: the page fetches its own files again to cache them, with other headers than their tags sent.
    return await cache.match(key, { ignoreVary: true })
  } catch {
    return undefined
  }
}

/** Caches an answer if it can: a full storage must not keep the answer from the page. */
async function keep(key, response) {
  try {
    const cache = await caches.open(cacheName)
    await cache.put(key, response)
    const files = await cache.keys()
    const others = files.filter(({ url }) => url.includes('/assets/') && !asked.has(url))
    await Promise.all(others.slice(0, Math.max(0, files.length - filesMax)).map((file) => cache.delete(file)))
  } catch {
    // The next visit tries again.
  }
}

/** Returns a file whose name changes with its content: from the cache when it is there. */
async function hashedFile(request) {
  asked.add(request.url)
  const known = await cached(request)
  if (known !== undefined) return known
  const response = await fetch(request)
  if (response.ok) await keep(request, response.clone())
  return response
}

/**
 * Returns the network's answer, or the cached one when the network or the server is gone or slow. Every path of the app
 * has the same page.
 */
async function newest(request, key, isWorthKeeping = () => true) {
  const known = await cached(key)
  const loading = fetch(request).then(async (response) => {
    if (isOfProxy(response)) return known ?? response
    if (response.ok && isWorthKeeping(response)) {
      // Fails if the answer is cut off.
      await response.clone().arrayBuffer()
      await keep(key, response.clone())
    }
    return response
  })
  if (known === undefined) return loading
  const late = new Promise((resolve) => setTimeout(() => resolve(known), patienceMs))
  return Promise.race([loading.catch(() => known), late])
}
