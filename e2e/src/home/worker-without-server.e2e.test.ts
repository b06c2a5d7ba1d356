import { listen } from '@batti/kit/node/listen'
import { createServer, request } from 'node:http'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openContext } from '../open-browser.ts'
import { waitUntilCached } from '../pages.ts'
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
  await waitUntilCached(page, '/assets/index-')
  proxy.state.isServerGone = true
  await page.reload()
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  expect(await page.title()).toContain('Batti')
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
