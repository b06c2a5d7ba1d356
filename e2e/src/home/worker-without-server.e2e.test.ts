import { listen } from '@batti/kit/node/listen'
import { createServer, request } from 'node:http'
import { accountOf } from '@batti/launcher/testing/start-product'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openContext } from '../open-browser.ts'
import { logInOn, waitUntilCached } from '../pages.ts'
import { openHome, type Home } from './a-home.ts'

let home: Home

beforeAll(async () => {
  home = await openHome()
})
afterAll(async () => home?.close())

/** Opens a proxy that answers 502 for a server that is gone. */
async function openProxy(web: string) {
  const state = { isServerGone: false }
  const server = createServer((req, res) => {
    const refuse = () => res.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>502 Bad Gateway</h1>')
    if (state.isServerGone) return refuse()
    const { url = '/', method, headers } = req
    const ahead = request(new URL(url, web), { method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    })
    return req.pipe(ahead.on('error', refuse))
  })
  const port = await listen(server)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { state, web: `http://localhost:${port}` }
}

it('a proxy that has lost its server does not replace the app by its own page', async () => {
  const proxy = await openProxy(home.product.web)
  const context = await openContext(home.browser)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${proxy.web}/user/login`)
  const heading = page.getByRole('heading', { name: 'Welcome back' })
  await heading.waitFor()
  await expect.poll(() => page.evaluate(countUncached)).toBe(0)
  proxy.state.isServerGone = true
  await page.reload()
  await heading.waitFor()
  expect(await page.title()).toContain('Batti')
})

it('a file that is still loading when the worker takes control is cached too', async () => {
  const context = await openContext(home.browser)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const { promise: mayArrive, resolve: arrive } = Promise.withResolvers<void>()
  await page.route(/\/assets\/.*\?late$/, (route) => mayArrive.then(() => route.continue()))
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      const script = document.querySelector<HTMLScriptElement>('script[src^="/assets/"]')
      if (script !== null) void fetch(`${script.src}?late`)
    })
  )
  await page.goto(`${home.product.web}/user/login`)
  // The page has fetched again what it had.
  await waitUntilCached(page, '/assets/index-')
  arrive()
  const countCached = async () =>
    (await (await caches.open('shell-2')).keys()).filter(({ url }) => url.endsWith('?late')).length
  await expect.poll(() => page.evaluate(countCached)).toBe(1)
})

it('files that a page uses stay cached when newer ones of former releases are too many', async () => {
  const context = await openContext(home.browser)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${home.product.web}/user/login`)
  await expect.poll(() => page.evaluate(countUncached)).toBe(0)
  await page.evaluate(async () => {
    const cache = await caches.open('shell-2')
    for (let nth = 0; nth < 300; nth++) await cache.put(`/assets/former-${nth}.js`, new Response(''))
  })
  await page.evaluate(async () => {
    const script = document.querySelector<HTMLScriptElement>('script[src^="/assets/"]')
    await fetch(`${script?.src ?? ''}?new`)
  })
  const countCached = () => page.evaluate(async () => (await (await caches.open('shell-2')).keys()).length)
  await expect.poll(countCached).toBe(300)
  expect(await page.evaluate(countUncached)).toBe(0)
})

it('the app loads in a browser whose storage is full', async () => {
  const { context, page, product } = home
  await waitUntilCached(page, '/assets/logs-')
  const devtools = await context.newCDPSession(page)
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: product.web, quotaSize: 1 })
  await page.evaluate(() => caches.delete('shell-2'))
  await home.visit('/user/logs')
  await page.getByRole('heading', { level: 1, name: 'Switch Action Logs' }).waitFor()
  expect(await page.evaluate(() => caches.match('/'))).toBeUndefined()
})

it('the page that sets up a board is cached at once, and reloads with the Wi-Fi name but without the password', async () => {
  const { product } = home
  const context = await openContext(home.browser)
  onTestFinished(() => context.close())
  // What other pages postpone for 4 s never happens here.
  await context.addInitScript(() => {
    const setTimer = window.setTimeout.bind(window)
    Object.assign(window, { setTimeout: (run: () => void, ms?: number) => (ms === 4000 ? 0 : setTimer(run, ms)) })
  })
  const page = await context.newPage()
  await logInOn(page, product.web, accountOf(product, 'user'))
  await page.goto(`${product.web}/user/devices/new`)
  await page.getByLabel('Wi-Fi name (SSID)').fill('Himal-2G')
  await page.getByLabel('Wi-Fi password', { exact: true }).fill('everest8848')
  await expect.poll(() => page.evaluate(countUncached)).toBe(0)
  await context.setOffline(true)
  await page.reload()
  const name = page.getByLabel('Wi-Fi name (SSID)')
  await name.waitFor()
  expect(await name.inputValue()).toBe('Himal-2G')
  expect(await page.getByLabel('Wi-Fi password', { exact: true }).inputValue()).toBe('')
})

/** Counts the page's own files that the service worker has not cached yet. */
async function countUncached(): Promise<number> {
  const own = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
  const files = ['/', ...own.filter((path) => path.startsWith('/assets/'))]
  const found = await Promise.all(files.map((file) => caches.match(file, { ignoreVary: true })))
  return found.filter((answer) => answer === undefined).length
}
