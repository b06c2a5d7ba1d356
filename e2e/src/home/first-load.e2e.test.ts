import type { Page, Response } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { patientMs } from '../deadline.ts'
import { openContext } from '../open-browser.ts'
import { timeAppeared, waitUntilCached } from '../pages.ts'
import { openHome, type Home } from './a-home.ts'

let home: Home

beforeAll(async () => {
  home = await openHome()
})
afterAll(async () => home?.close())

it('every page of the home opens offline once the first one had time to load, and / is the home', async () => {
  const { page, context } = home
  for (const start of ['/assets/switch-detail-', '/assets/frame-', '/assets/first-home-'])
    await waitUntilCached(page, start)
  // The last page of the list, and the last of its texts.
  for (const last of ['/assets/support-topic-', '/assets/reference-']) await waitUntilCached(page, last)
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await home.visit('/user/schedules')
  await page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor()
  await home.visit('/user/logs')
  await page.getByRole('heading', { level: 1, name: 'Switch Action Logs' }).waitFor()
  await home.visit('/support')
  await page.getByRole('heading', { level: 1, name: 'Support' }).waitFor()
  // The public page has nothing for a signed-in user there.
  await home.visit('/')
  await page.waitForURL('**/user/home')
  await context.setOffline(false)
})

it('a file that is lost on the way does not end the prefetching of the others, and is asked for again', async () => {
  const { browser, product } = home
  const storageState = await home.context.storageState()
  const fresh = await openContext(browser, { storageState, serviceWorkers: 'block' })
  onTestFinished(() => fresh.close())
  const page = await fresh.newPage()
  let asked = 0
  await page.route('**/assets/rooms-*.js', (route) => {
    asked += 1
    return asked === 1 ? route.abort() : route.continue()
  })
  await Promise.all([page.goto(`${product.web}/user/home`), page.waitForRequest('**/assets/support-topic-*')])
  await expect.poll(() => asked, { timeout: patientMs }).toBe(2)
})

it('the answer of a path outside the app is never cached as the app’s page', async () => {
  const { context, page } = home
  onTestFinished(() => context.setOffline(false))
  await waitUntilCached(page, '/assets/logs-', 2)
  for (const path of ['/healthz', '/default-avatar.svg']) {
    await context.setOffline(false)
    await home.visit(path)
    await context.setOffline(true)
    await home.visit('/user/logs')
    await page.getByRole('heading', { level: 1, name: 'Switch Action Logs' }).waitFor()
  }
})

it.runIf(process.platform !== 'win32')(
  'the page that posts to a board has only its own headers, however slow the server is',
  async () => {
    const { context, page, product } = home
    const policyOf = async (answer: Response | null) => (await answer?.headerValue('content-security-policy')) ?? ''
    const board = 'http://192.168.4.1'
    await home.visit('/user/home')
    await waitUntilCached(page, '/assets/logs-', 2)
    expect(await policyOf(await page.goto(`${product.web}/user/devices/new`))).toContain(board)
    const other = await context.newPage()
    process.kill(product.pids.api, 'SIGSTOP')
    try {
      const setup = page.goto(`${product.web}/user/devices/new`)
      expect(await policyOf(await other.goto(`${product.web}/user/logs`))).toMatch(/form-action 'self'$/)
      process.kill(product.pids.api, 'SIGCONT')
      expect(await policyOf(await setup)).toContain(board)
    } finally {
      process.kill(product.pids.api, 'SIGCONT')
      await other.close()
    }
  }
)

/** As after a release: the files that a page needs are gone from the server, and the server's page loads others. */
async function release(page: Page, start: string) {
  await page.route(`**/assets/${start}*`, (route) => route.fulfill({ status: 404 }))
  await page.route(
    (url) => url.pathname === '/',
    (route) => route.fulfill({ body: '<script src="/assets/index-next.js">' })
  )
}

it('no part of the page is for the translator of a browser, which takes away the text that shows a lamp’s state', async () => {
  await home.visit('/user/home')
  await home.page.getByRole('switch').first().waitFor()
  const translated = await home.page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body, body *')]
      .filter((element) => element.translate)
      .map(({ tagName }) => tagName)
  )
  expect(translated).toEqual([])
})

it('a menu whose code is gone after a release reloads the page', async () => {
  const { browser, product } = home
  const storageState = await home.context.storageState()
  const fresh = await openContext(browser, { storageState, serviceWorkers: 'block' })
  const page = await fresh.newPage()
  await release(page, 'profile-menu-items-')
  await page.goto(`${product.web}/user/home`)
  const menu = page.getByRole('button', { name: /^Account menu of / })
  await menu.waitFor()
  // Toasts are loaded after the page's data: one of two seconds before that would not be seen.
  await page.locator('.toasts').waitFor({ state: 'attached' })
  await Promise.all([
    page.waitForEvent('load', { timeout: patientMs }),
    timeAppeared(page, 'A new version is here'),
    menu.click()
  ])
  await menu.waitFor()
  await fresh.close()
})

it('no style assigns other letters to the Nepali font: a system without the usual fonts would load it', async () => {
  const { page, product } = home
  const sheets = await page.evaluate(() =>
    [...document.styleSheets].flatMap(({ href }) => (href === null ? [] : [href]))
  )
  const styles = await Promise.all(sheets.map(async (href) => (await fetch(new URL(href, product.web))).text()))
  const files = styles.join('').match(/noto-sans-devanagari-[a-z-]+/g) ?? []
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((name) => /-latin/.test(name))).toEqual([])
})

it('the name of Nepali is drawn on an English page where the system has no Devanagari letters', async () => {
  const { page, context } = home
  await page.locator('html[data-fonts=all]').waitFor()
  await page.locator('footer [lang=ne]').waitFor()
  const devTools = await context.newCDPSession(page)
  await devTools.send('DOM.enable')
  await devTools.send('CSS.enable')
  const { root } = await devTools.send('DOM.getDocument')
  const { nodeId } = await devTools.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'footer [lang=ne]' })
  const fontsInUse = async () =>
    (await devTools.send('CSS.getPlatformFontsForNode', { nodeId })).fonts.map(({ isCustomFont }) => isCustomFont)
  await expect.poll(fontsInUse, { timeout: patientMs }).toEqual([true])
  await devTools.detach()
})

/** Records when a switch could first be pressed. What the page postpones is held until then, however slow the machine is. */
const noteFirstUse = () => {
  const { setTimeout: setTimer, clearTimeout: clearTimer } = window
  const held = new Map<number, () => number>()
  const started = new Map<number, number>()
  let last = 0
  const hold = (run: () => void, ms = 0) => {
    // React postpones by less than 300 ms what it draws.
    if (ms < 300) return setTimer(run, ms)
    last -= 1
    held.set(last, () => setTimer(run, ms))
    return last
  }
  const cancel = (id: number) => {
    held.delete(id)
    clearTimer(started.get(id) ?? id)
  }
  Object.assign(window, { setTimeout: hold, clearTimeout: cancel })
  const seen = new MutationObserver(() => {
    if (document.querySelector('main [role=switch]:not([aria-disabled])') === null) return
    performance.mark('usable')
    seen.disconnect()
    window.setTimeout = setTimer
    for (const [id, start] of held) started.set(id, start())
  })
  seen.observe(document, { subtree: true, childList: true, attributes: true })
}

/** What the page requested until then. A call that is under way when the live connection opens is repeated. */
const askedUntilUse = (): string[] => {
  const usableAt = performance.getEntriesByName('usable')[0]?.startTime ?? 0
  const asked = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(({ startTime }) => startTime <= usableAt)
    .map(({ name }) => new URL(name).pathname)
  return [...new Set(asked)]
}

it.each([
  { device: 'phone', viewport: { width: 390, height: 844 }, sideBars: 0 },
  { device: 'desktop', viewport: { width: 1280, height: 800 }, sideBars: 1 }
])('a home needs few requests until a switch can be pressed, on a $device', async ({ viewport, sideBars }) => {
  const { browser, product } = home
  const storageState = await home.context.storageState()
  const fresh = await openContext(browser, { storageState, viewport, serviceWorkers: 'block' })
  const page = await fresh.newPage()
  await page.addInitScript(noteFirstUse)
  await page.goto(`${product.web}/user/home`)
  await page.waitForFunction(() => performance.getEntriesByName('usable').length > 0)
  const asked = await page.evaluate(askedUntilUse)
  expect(asked.length, asked.join('\n')).toBeGreaterThan(5)
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(15)
  // One word in the other language is not worth a font.
  expect(asked.filter((path) => path.includes('devanagari'))).toEqual([])
  // Hidden, a side bar would request totals, and its links would come first for a program. The bars load by
  // themselves after the switches; that the network was idle once says nothing about them.
  await page.getByRole('navigation', { name: 'Quick navigation' }).waitFor()
  if (sideBars > 0) await page.locator('aside').waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.locator('aside').count()).toBe(sideBars)
  await fresh.close()
})

it('reports when the app itself does not load, and opens at the next try', async () => {
  const context = await openContext(home.browser, { serviceWorkers: 'block' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await context.route('**/assets/index-*.js', (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto(`${home.product.web}/user/login`)
  await page.getByRole('heading', { name: 'This did not load' }).waitFor()
  await context.unroute('**/assets/index-*.js')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
})

it('styles that are lost on the way are loaded again', async () => {
  const context = await openContext(home.browser, { serviceWorkers: 'block' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await context.route('**/assets/index-*.css', (route) => route.abort('connectionreset'), { times: 2 })
  await page.goto(`${home.product.web}/user/login`)
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  const hasStyles = () => page.evaluate(() => getComputedStyle(document.body).getPropertyValue('--page') !== '')
  await expect.poll(hasStyles, { timeout: patientMs }).toBe(true)
})

it('without its first script and the app, a page offers to load again after a while', async () => {
  const context = await openContext(home.browser, { serviceWorkers: 'block' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const cut = (url: URL) => /\/(theme|assets\/index-.*)\.js$/.test(url.pathname)
  await context.route(cut, (route) => route.abort('connectionreset'))
  await page.goto(`${home.product.web}/user/login`)
  const again = page.getByRole('link', { name: 'Try again' })
  expect(await again.isVisible()).toBe(false)
  await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()))
  await again.waitFor()
  await context.unroute(cut)
  await again.click()
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
  expect(await again.count()).toBe(0)
})
