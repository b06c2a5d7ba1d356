import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountOf } from '@batti/launcher/testing/start-product'
import { makeOld, openContext } from '../open-browser.ts'
import { axeFaults } from '../axe-faults.ts'
import { logInOn, whenFontsLoaded } from '../pages.ts'
import { openHome, type Home } from './a-home.ts'

let home: Home

beforeAll(async () => {
  home = await openHome()
})
afterAll(async () => home?.close())

/** The newest day of the log: what the product's start logged is yesterday's when a test runs past midnight. */
const newestDay = (page: Page) => page.getByRole('heading', { level: 2, name: /^(?:Today|Yesterday)$/ }).first()

/** A screen, how to open it, and what is visible once it is drawn. */
const screens: readonly [what: string, path: string, ready: (page: Page) => Promise<unknown>][] = [
  ['home', '/user/home', (page) => page.getByRole('switch').first().waitFor()],
  ['the dashboard', '/user/dashboard', (page) => page.getByRole('button', { name: 'Show as table' }).waitFor()],
  ['rooms', '/user/rooms', (page) => page.getByRole('button', { name: 'Edit Kitchen' }).waitFor()],
  ['all switches', '/user/switches', (page) => page.getByRole('switch').nth(12).waitFor()],
  ['favourites', '/user/favorite-switches', (page) => page.getByRole('switch').nth(4).waitFor()],
  ['schedules', '/user/schedules', (page) => page.getByRole('button', { name: 'Edit Morning tea' }).waitFor()],
  ['the pairing', '/user/devices/new', (page) => page.getByText('Pairing code made').waitFor()],
  ['the log', '/user/logs', (page) => newestDay(page).waitFor()]
]

describe.each([390, 1440])('at %i px', (width) => {
  let context: BrowserContext
  let page: Page

  beforeAll(async () => {
    context = await openContext(home.browser, {
      reducedMotion: 'reduce',
      viewport: { width, height: 900 }
    })
    // The phone is old, and does all that the new screen does.
    if (width < 400) await makeOld(context)
    page = await context.newPage()
    await logInOn(page, home.product.web, accountOf(home.product, 'user'))
  })
  afterAll(async () => context?.close())

  const open = (path: string) => page.goto(`${home.product.web}${path}`)

  it.each(screens)('%s is accessible and does not scroll sideways', async (_what, path, ready) => {
    await open(path)
    await ready(page)
    expect(await axeFaults(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  })

  it('prints in the light theme, without controls', async () => {
    await open('/user/logs')
    await newestDay(page).waitFor()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const paper = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    expect(paper).toBe('rgb(255, 255, 255)')
    expect(
      await page
        .getByRole('navigation')
        .or(page.getByRole('button', { name: 'Clear Logs' }))
        .count()
    ).toBe(0)
    await page.getByText(/ago$/).first().waitFor({ state: 'detached' })
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'turned' }).first()
    expect((await row.innerText()).match(/\d\d:\d\d/g)).toHaveLength(1)
    await page.emulateMedia({ media: null, colorScheme: null })
  })

  it('avoids a notch at its side', async () => {
    const insets = { left: 47, leftMax: 47, right: 47, rightMax: 47 }
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets })
    await open('/user/rooms')
    const title = await page.getByRole('heading', { level: 1 }).boundingBox()
    expect(title?.x).toBeGreaterThanOrEqual(47)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: {} })
  })

  it('floats beside a notch and the system bar on a phone in landscape', async () => {
    const insets = { left: 47, leftMax: 47, right: 47, rightMax: 47, bottom: 21, bottomMax: 21 }
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets })
    await page.setViewportSize({ width: 844, height: 390 })
    await open('/user/devices')
    const add = page.locator('main a.fixed')
    await add.waitFor()
    const bar = page.getByRole('navigation', { name: 'Quick navigation' })
    const [ofAdd, ofBar] = await Promise.all([add.boundingBox(), bar.boundingBox()])
    expect((ofAdd?.x ?? 844) + (ofAdd?.width ?? 0)).toBeLessThanOrEqual(844 - 47)
    expect((ofBar?.y ?? 390) + (ofBar?.height ?? 0)).toBeLessThanOrEqual(390 - 21)
    expect((ofAdd?.y ?? 390) + (ofAdd?.height ?? 0)).toBeLessThanOrEqual(ofBar?.y ?? 0)
    await page.setViewportSize({ width, height: 900 })
    await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: {} })
  })

  it('the floating button leaves the end of the page free', async () => {
    for (const size of [width, 900, 1280]) {
      await page.setViewportSize({ width: size, height: 800 })
      await open('/user/devices')
      await page.locator('main a.fixed').waitFor()
      await page.getByRole('navigation', { name: 'Quick navigation' }).waitFor()
      // At once, as the page may still grow.
      const covered = await page.evaluate(() => {
        window.scrollTo(0, document.documentElement.scrollHeight)
        return [...document.querySelectorAll('footer :is(a, button)')].filter((control) => {
          const { left, right, top, bottom } = control.getBoundingClientRect()
          const isFree = (x: number, y: number) => control.contains(document.elementFromPoint(x, y))
          return !isFree(left + 4, bottom - 4) || !isFree(right - 4, top + 4)
        }).length
      })
      expect(covered, `${size} px`).toBe(0)
    }
    await page.setViewportSize({ width, height: 900 })
  })

  it('with 400 % zoom no button floats over the cards', async () => {
    await page.setViewportSize({ width: 320, height: 256 })
    await open('/user/devices')
    const add = page.locator('main a').filter({ hasText: 'Add Device' })
    await add.waitFor()
    expect(await add.evaluate((one) => getComputedStyle(one).position)).toBe('static')
    await page.setViewportSize({ width, height: 900 })
  })

  it('a switch’s options, its schedule dialog and its own page are accessible', async () => {
    await open('/user/switches')
    await page.getByRole('button', { name: 'Options of Ceiling fan' }).click()
    await page.getByRole('button', { name: 'Rename' }).waitFor()
    expect(await axeFaults(page, { within: '[role="dialog"]' })).toEqual([])
    await page.getByRole('button', { name: 'Add Schedule' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add Schedule' })
    await dialog.getByText('Weekly', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Save schedule' }).click()
    await dialog.getByRole('alert').waitFor()
    expect(await axeFaults(page)).toEqual([])

    await open('/user/switches')
    await page.getByRole('button', { name: 'Options of Ceiling fan' }).click()
    await page.getByRole('link', { name: 'Details and history' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ceiling fan' }).waitFor()
    await page.getByRole('button', { name: 'Show as table' }).click()
    expect(await axeFaults(page)).toEqual([])
  })

  it('a room’s boards and the question before its deletion are accessible', async () => {
    await open('/user/rooms')
    await page.getByRole('button', { name: 'Kitchen', exact: true }).click()
    await page.getByRole('dialog', { name: 'Kitchen' }).getByRole('switch').first().waitFor()
    expect(await axeFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete Kitchen' }).click()
    await page.getByRole('dialog', { name: 'Delete Kitchen?' }).waitFor()
    expect(await axeFaults(page)).toEqual([])
  })
})

it('the names of favourites are complete on the dashboard wherever it has two columns', async () => {
  const { page } = home
  await page.setViewportSize({ width: 1024, height: 768 })
  await home.visit('/user/dashboard')
  const names = page.locator('main a[href^="/user/switches/"] .truncate')
  await names.nth(4).waitFor()
  await whenFontsLoaded(page)
  const widths = await names.evaluateAll((all) => all.map((one) => [one.scrollWidth, one.clientWidth]))
  for (const [needed = 0, given = 0] of widths) expect(needed).toBeLessThanOrEqual(given)
  await page.setViewportSize({ width: 390, height: 844 })
})

describe('in a window as low as at 400 % zoom', () => {
  /** How far an element is outside of the window, at its top or bottom. */
  const outBy = (element: Element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return Math.max(0, -top, bottom - window.innerHeight)
  }

  it('a question is whole', async () => {
    const { page } = home
    await page.setViewportSize({ width: 320, height: 256 })
    await home.visit('/user/devices')
    // By keyboard: in so low a window the menu moves while a pointer goes to it, and a click may be beside its item.
    await page.getByRole('button', { name: 'Options of Kitchen counter strip' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    const question = page.getByRole('alertdialog')
    await question.waitFor()
    await page.evaluate(() => (document.documentElement.style.fontSize = '150%'))
    const remove = question.getByRole('button', { name: 'Delete' })
    await remove.scrollIntoViewIfNeeded()
    for (const part of [question, remove]) expect(await part.evaluate(outBy)).toBe(0)
    await page.setViewportSize({ width: 390, height: 844 })
  })

  it('the panel of a switch has the height of the window', async () => {
    const { page } = home
    await page.setViewportSize({ width: 320, height: 256 })
    await home.visit('/user/switches')
    await page
      .getByRole('button', { name: /^Options of / })
      .first()
      .press('Enter')
    const panel = page.getByRole('dialog')
    await panel.waitFor()
    await expect.poll(() => panel.evaluate(({ clientHeight }) => clientHeight)).toBeGreaterThan(200)
    expect(await panel.evaluate(outBy)).toBe(0)
    await page.setViewportSize({ width: 390, height: 844 })
  })

  it.each([256, 500])('each field of a form that gets the focus is in sight, %i px high', async (height) => {
    const { page } = home
    await page.setViewportSize({ width: 390, height })
    await home.visit('/user/schedules')
    await page.getByRole('button', { name: 'Add Schedule' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add Schedule' })
    await dialog.getByLabel('Label').click()
    for (let presses = 0; presses < 8; presses += 1) {
      await page.keyboard.press('Tab')
      const focused = page.locator('label:has(:focus), :focus').first()
      expect(await focused.evaluate(outBy)).toBe(0)
    }
    // What scrolls has room for more than one field.
    const heights = await dialog
      .getByLabel('Label')
      .evaluate((field) =>
        [...document.querySelectorAll('[role=dialog], [role=dialog] *')]
          .filter((one) => one.contains(field) && getComputedStyle(one).overflowY === 'auto')
          .map(({ clientHeight }) => clientHeight)
      )
    expect(heights).toEqual([expect.any(Number)])
    expect(heights[0]).toBeGreaterThan(200)
    await page.setViewportSize({ width: 390, height: 844 })
  })
})

describe('on the narrowest phone', () => {
  it('the addresses of boards are complete in both languages, and nothing scrolls sideways', async () => {
    const context = await openContext(home.browser, { viewport: { width: 320, height: 700 } })
    try {
      const page = await context.newPage()
      await logInOn(page, home.product.web, accountOf(home.product, 'user'))
      const addresses = page
        .locator('main p, main span')
        .filter({ hasText: /^(?:[0-9A-F]{2}:){5}[0-9A-F]{2}$/ })
        .filter({ visible: true })
      for (const language of ['en', 'ne']) {
        await page.evaluate((chosen) => localStorage.setItem('language', chosen), language)
        for (const path of ['/user/home', '/user/devices', '/user/switches', '/user/favorite-switches']) {
          await page.goto(`${home.product.web}${path}`)
          await page.locator(`html[lang="${language}"]`).waitFor()
          await addresses.first().waitFor()
          await whenFontsLoaded(page)
          const widths = await addresses.evaluateAll((all) => all.map((one) => [one.scrollWidth, one.clientWidth]))
          for (const [needed = 0, given = 0] of widths) expect(needed, path).toBeLessThanOrEqual(given)
          expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320)
        }
      }
    } finally {
      await context.close()
    }
  })
})

describe('with 150 % font size on a small phone', () => {
  let context: BrowserContext
  let page: Page

  beforeAll(async () => {
    context = await openContext(home.browser, { viewport: { width: 360, height: 780 } })
    await context.addInitScript(() => {
      document.addEventListener('DOMContentLoaded', () => (document.documentElement.style.fontSize = '150%'))
    })
    page = await context.newPage()
    await logInOn(page, home.product.web, accountOf(home.product, 'user'))
  })
  afterAll(async () => context?.close())

  it.each(screens)(
    '%s does not scroll sideways, and no label of the bar overlaps the next',
    async (_what, path, ready) => {
      await page.goto(`${home.product.web}${path}`)
      await ready(page)
      const entries = page.getByRole('navigation', { name: 'Quick navigation' }).locator('a:visible, button:visible')
      await entries.nth(4).waitFor()
      await whenFontsLoaded(page)
      const widths = await entries.evaluateAll((all) => all.map((one) => [one.scrollWidth, one.clientWidth]))
      for (const [needed = 0, given = 0] of widths) expect(needed).toBeLessThanOrEqual(given)
      const widthOfPage = () => page.evaluate(() => document.documentElement.scrollWidth)
      expect(await widthOfPage()).toBe(360)
      // 200 %, as WCAG requires, on a usual one.
      await page.setViewportSize({ width: 390, height: 844 })
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
      await expect.poll(widthOfPage).toBe(390)
      await page.setViewportSize({ width: 360, height: 780 })
    }
  )
})
