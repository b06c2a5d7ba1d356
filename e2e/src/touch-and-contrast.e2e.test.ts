import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { accountOf, startProduct, type Product } from '@batti/launcher/testing/start-product'
import { cutRing, faintOutlines, smallTargets } from './measures.ts'
import { openBrowser, openContext } from './open-browser.ts'
import { logInOn } from './pages.ts'
import { logIn } from './people.ts'
import { createWall } from './wall.ts'

let product: Product
let browser: Browser

beforeAll(async () => {
  ;[product, browser] = await Promise.all([startProduct(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

/** Fields, groups of choices, buttons with a border, and the dots of colours. A filled button has a border without colour. */
const bordered =
  ':is(input:not([type=radio], [type=range]), button, fieldset > div, label, [role=combobox], span[aria-hidden].rounded-full).border:not(.border-transparent)'

const tablet = { viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true }

async function openAs(role: 'user' | 'admin', look: object): Promise<Page> {
  const page = await (await openContext(browser, { reducedMotion: 'reduce', ...look })).newPage()
  await logInOn(page, product.web, accountOf(product, role))
  return page
}

describe.each(['light', 'dark'] as const)(
  'in the %s theme, what is operated stands out from what is around it',
  (colorScheme) => {
    it('fields, choices, chips and buttons', async () => {
      const page = await openAs('user', { colorScheme })
      for (const path of ['/user/devices/new', '/user/profile', '/user/switches', '/user/rooms', '/user/logs']) {
        await page.goto(`${product.web}${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
        const controls = page.locator(bordered)
        expect(await controls.count(), path).toBeGreaterThan(0)
        expect(await faintOutlines(controls), path).toEqual([])
      }
      await page.context().close()
    })

    it('cards and lines too, for who asks for more contrast', async () => {
      const page = await openAs('user', { colorScheme, contrast: 'more' })
      await page.goto(`${product.web}/user/devices`)
      // A board on which nothing is lit has a line around it.
      const card = page.getByRole('article').filter({ hasText: 'All off' })
      await card.waitFor()
      const framed = page.locator('.border-line')
      expect(await card.and(framed).count()).toBe(1)
      expect(await faintOutlines(framed)).toEqual([])
      await page.context().close()
    })

    it('the bars and the ring of what was on', async () => {
      const page = await openAs('user', { colorScheme })
      await page.goto(`${product.web}/user/dashboard`)
      await page.getByRole('button', { name: 'Show as table' }).waitFor()
      const amber = page.locator('main :is(rect.fill-on, circle.stroke-on-edge)')
      expect(await amber.count()).toBeGreaterThan(1)
      expect(await faintOutlines(amber)).toEqual([])
      await page.context().close()
    })
  }
)

it('with forced colours the bars that a weak signal lacks are not those that it has', async () => {
  const page = await openAs('admin', { forcedColors: 'active' })
  await page.route('**/api/v1/devices?*', async (call) => {
    const response = await call.fetch()
    await call.fulfill({ response, body: (await response.text()).replaceAll(/"wifiRSSI":-\d+/g, '"wifiRSSI":-85') })
  })
  await page.goto(`${product.web}/admin/devices`)
  const bars = page.getByRole('row').filter({ hasText: '−85 dBm' }).first().locator('svg:has(rect[rx]) rect')
  await bars.first().waitFor()
  const [has = '', ...lacks] = await bars.evaluateAll((all) => all.map((bar) => getComputedStyle(bar).fill))
  expect(lacks).toHaveLength(3)
  expect(lacks).not.toContain(has)
  await page.context().close()
})

it('with forced colours the ring of unknown switches is not that of those that are off', async () => {
  const page = await openAs('user', { forcedColors: 'active' })
  await page.goto(`${product.web}/user/dashboard`)
  const term = (name: string) => page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) })
  const wall = createWall(product.wall)
  const { mac } = (await wall.list())[0] ?? { mac: '' }
  await wall.power(mac, false)
  onTestFinished(async () => void (await wall.power(mac, true)))
  await term('Unknown').waitFor()
  const swatch = term('OFF').locator('..').locator('span')
  const off = await swatch.evaluate((one) => getComputedStyle(one).backgroundColor)
  const unknown = page.locator('main circle[stroke-dasharray]').last()
  expect(await unknown.evaluate((part) => getComputedStyle(part).stroke)).not.toBe(off)
  await page.context().close()
})

it.each([
  ['user', ['/user/home', '/user/logs', '/user/dashboard', '/support']],
  ['admin', ['/admin/dashboard', '/admin/devices', '/admin/logs']]
] as const)('on a phone the ring of the focused control is whole, as %s', async (role, paths) => {
  const page = await openAs(role, { viewport: { width: 320, height: 640 } })
  for (const path of paths) {
    await page.goto(`${product.web}${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press('Tab')
      expect(await cutRing(page), path).toEqual([])
    }
  }
  await page.context().close()
})

it('on a tablet a finger fits the controls of a list, and the links to the complete lists', async () => {
  const page = await openAs('admin', tablet)
  await page.goto(`${product.web}/admin/users`)
  await page.getByRole('row').nth(1).waitFor()
  const controls = page.locator('header button, thead button, tbody button')
  expect(await controls.count()).toBeGreaterThan(5)
  expect(await smallTargets(controls)).toEqual([])
  const { email, password } = accountOf(product, 'user')
  await page.goto(`${product.web}/admin/users/${(await logIn(product, email, password)).id}`)
  const all = page.getByRole('link', { name: /^All / })
  await all.first().waitFor()
  expect(await smallTargets(all)).toEqual([])
  await page.context().close()
})
