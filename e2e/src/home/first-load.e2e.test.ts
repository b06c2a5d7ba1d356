import { afterAll, beforeAll, expect, it } from 'vitest'
import { patientMs } from '../deadline.ts'
import { openHome, type Home } from './a-home.ts'

let home: Home

beforeAll(async () => {
  home = await openHome()
})
afterAll(async () => home?.close())

/** What the service worker keeps, by the names of the files. */
const kept = (): Promise<string[]> =>
  home.page.evaluate(async () => {
    const found: string[] = []
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname)
    return found
  })

it('a page of the home that was never opened opens without a network, once the first one had time', async () => {
  const { page, context } = home
  // The last page of the list, and the last of its texts.
  for (const part of ['/assets/logs-', '/assets/switch-detail-', '/assets/frame-', '/assets/first-home-'])
    await expect
      .poll(async () => (await kept()).filter((path) => path.startsWith(part)).length, { timeout: patientMs })
      .toBeGreaterThan(0)
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await home.visit('/user/schedules')
  await page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor()
  await home.visit('/user/logs')
  await page.getByRole('heading', { level: 1, name: 'Switch Action Logs' }).waitFor()
  await context.setOffline(false)
})

it('a home takes few requests until a switch can be pressed', async () => {
  const { browser, product } = home
  const state = await home.context.storageState()
  const fresh = await browser.newContext({ storageState: state, serviceWorkers: 'block', locale: 'en-GB' })
  const page = await fresh.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`${product.web}/user/home`)
  await page.locator('main [role=switch]:not([aria-disabled])').first().waitFor()
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(15)
  // One word in the other language is not worth a font.
  expect(asked.filter((path) => path.includes('devanagari'))).toEqual([])
  await fresh.close()
})
