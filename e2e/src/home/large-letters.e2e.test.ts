import { createClient } from '@batti/client/client'
import { listDevices } from '@batti/contracts'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountOf } from '@batti/launcher/testing/start-product'
import { openContext } from '../open-browser.ts'
import { logInOn, whenFontsLoaded } from '../pages.ts'
import { logIn } from '../people.ts'
import { openHome, type Home } from './a-home.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(async () => home?.close())

/** Returns the words of a text of one node that are on more than one line. */
function brokenWords({ firstChild }: Element): string[] {
  const letters = document.createRange()
  return [...(firstChild?.textContent ?? '').matchAll(/\S+/g)].flatMap(([word], index, all) => {
    const start = all[index]?.index ?? 0
    if (firstChild === null) return []
    letters.setStart(firstChild, start)
    letters.setEnd(firstChild, start + word.length)
    return new Set([...letters.getClientRects()].map(({ top }) => top)).size > 1 ? [word] : []
  })
}

/** How far a page overflows the window with 200 % font size. */
async function sticksOutBy(page: Page, path: string, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 800 })
  await page.goto(`${home.product.web}${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  return page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
    return document.documentElement.scrollWidth - window.innerWidth
  })
}

it.each(['en', 'ne'])('text of 200 % stays inside the public page in %s', async (language) => {
  const context = await openContext(home.browser, {})
  await context.addInitScript((chosen) => localStorage.setItem('language', chosen), language)
  const page = await context.newPage()
  for (const path of ['/', '/user/login', '/user/register', '/user/forgot-password', '/support', '/privacy'])
    expect(await sticksOutBy(page, path, 390), path).toBeLessThanOrEqual(0)
  await context.close()
})

it('the dashboard and the pairing have room for such text on the narrowest phone', async () => {
  for (const path of ['/user/dashboard', '/user/devices/new'])
    expect(await sticksOutBy(home.page, path, 320), path).toBeLessThanOrEqual(0)
})

it('on the narrowest phone the public page shows the brand, and all digits of a phone number, in Nepali', async () => {
  const context = await openContext(home.browser, { viewport: { width: 320, height: 700 } })
  await context.addInitScript(() => localStorage.setItem('language', 'ne'))
  const page = await context.newPage()
  await page.goto(`${home.product.web}/user/login`)
  const field = page.locator('input[name=identifier]')
  await field.fill('9841234567')
  await page.getByRole('combobox').waitFor()
  for (const cut of [field, page.locator('header a span')])
    expect(await cut.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
  await context.close()
})

describe('with the browser’s font size doubled, on a phone in Nepali', () => {
  const contexts: BrowserContext[] = []
  afterAll(() => Promise.all(contexts.map((context) => context.close())))

  async function openAs(role: 'user' | 'admin', width = 390): Promise<Page> {
    const context = await openContext(home.browser, { viewport: { width, height: 844 } })
    contexts.push(context)
    const page = await context.newPage()
    await logInOn(page, home.product.web, accountOf(home.product, role))
    await page.evaluate(() => localStorage.setItem('language', 'ne'))
    const devtools = await context.newCDPSession(page)
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
    return page
  }
  const widthOf = async (part: Locator) => (await part.boundingBox())?.width ?? 0
  const sideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

  it('staff see the names of a board’s switches and of the rooms, and no page scrolls sideways', async () => {
    const page = await openAs('admin')
    const { email, password } = accountOf(home.product, 'user')
    const { token } = await logIn(home.product, email, password)
    const { devices } = await createClient({ base: home.product.web, token }).call(listDevices)
    const board = devices.find(({ setName }) => setName === 'Bedroom wall')
    await page.goto(`${home.product.web}/admin/devices/${board?._id ?? ''}`)
    await page.getByRole('switch').nth(2).waitFor()
    expect(await widthOf(page.getByTitle('Bedside lamp', { exact: true }))).toBeGreaterThan(100)
    await expect.poll(() => sideways(page)).toBe(0)
    await page.goto(`${home.product.web}/admin/home`)
    const room = page.getByTitle('Kitchen', { exact: true })
    await room.waitFor()
    expect(await widthOf(room)).toBeGreaterThan(50)
    expect(await sideways(page)).toBe(0)
  })

  it('the greeting is complete, a page’s title is beside the menu, and no option overlaps the next', async () => {
    const page = await openAs('user')
    await page.goto(`${home.product.web}/user/home`)
    const greeting = page.getByRole('heading', { level: 1 })
    await greeting.waitFor()
    expect(await widthOf(greeting)).toBeGreaterThan(200)
    await page.goto(`${home.product.web}/user/schedules`)
    await greeting.waitFor()
    const [title, menu] = await Promise.all([
      greeting.boundingBox(),
      page.locator('header [aria-haspopup=menu]').boundingBox()
    ])
    expect((title?.x ?? 0) + (await greeting.evaluate((one) => one.scrollWidth))).toBeLessThanOrEqual(menu?.x ?? 0)
    await page.goto(`${home.product.web}/user/profile`)
    const choices = page.locator('fieldset label')
    await choices.first().waitFor()
    const widths = await choices.evaluateAll((all) => all.map((one) => [one.scrollWidth, one.clientWidth]))
    for (const [needed = 0, given = 0] of widths) expect(needed).toBeLessThanOrEqual(given)
  })

  it('the options of a switch, and the button that renames it, fit beside each other or below', async () => {
    const page = await openAs('user')
    await page.goto(`${home.product.web}/user/switches`)
    await page.locator('main [aria-haspopup=dialog]').first().click()
    const options = page.getByRole('dialog')
    await options.locator('form button').waitFor()
    await whenFontsLoaded(page)
    expect(await options.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
    expect(await widthOf(options.getByRole('textbox'))).toBeGreaterThan(250)
  })

  it('the narrowest phone breaks no title within a word', async () => {
    const page = await openAs('user', 320)
    await page.evaluate(() => localStorage.setItem('language', 'en'))
    for (const path of ['/user/devices/new', '/user/schedules', '/user/rooms']) {
      await page.goto(`${home.product.web}${path}`)
      const title = page.getByRole('heading', { level: 1 })
      await title.waitFor()
      expect(await title.evaluate(brokenWords), path).toEqual([])
    }
  })

  it('no icon is shrunk by the text beside it', async () => {
    const page = await openAs('user', 320)
    for (const path of ['/user/schedules', '/user/logs', '/user/rooms', '/user/home']) {
      await page.goto(`${home.product.web}${path}`)
      const icons = page.locator('main svg.lucide')
      await icons.first().waitFor()
      const shrunk = await icons.evaluateAll((all) =>
        all.filter((icon) => icon.getBoundingClientRect().width < Number(icon.getAttribute('width')) - 1)
      )
      expect(shrunk, path).toEqual([])
    }
  })

  it('the narrowest phone breaks no word of Home’s headline and headings', async () => {
    const page = await openAs('user', 320)
    await page.evaluate(() => localStorage.setItem('language', 'en'))
    await page.goto(`${home.product.web}/user/home`)
    const total = page.getByText('/ 13 total switches')
    await total.waitFor()
    const headline = page.getByRole('link').filter({ has: total }).locator('span:not(:has(span))')
    const texts = await headline.or(page.locator('h2 span')).all()
    expect(texts.length).toBeGreaterThan(4)
    for (const text of texts) expect(await text.evaluate(brokenWords)).toEqual([])
  })

  it('the narrowest phone shows the complete names of a home’s switches and schedules', async () => {
    const page = await openAs('user', 320)
    const whole = async (name: string) => {
      const lamp = page.getByTitle(name, { exact: true }).first()
      await lamp.waitFor()
      expect(await lamp.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0)
    }
    await page.goto(`${home.product.web}/user/rooms`)
    await whole('Reading lamp')
    await page.goto(`${home.product.web}/user/dashboard`)
    await whole('Kitchen lamp')
    await page.goto(`${home.product.web}/user/schedules`)
    const schedule = page.getByTitle('Morning tea', { exact: true })
    await schedule.waitFor()
    expect(await widthOf(schedule)).toBeGreaterThan(150)
  })

  it('staff on the narrowest phone see the brand, the hours of a chart, and the text of a card', async () => {
    const page = await openAs('admin', 320)
    await page.goto(`${home.product.web}/admin/dashboard`)
    const hours = page.locator('main [aria-hidden] > div > span:visible').filter({ hasText: /^[०-९]{2}:[०-९]{2}$/ })
    await hours.first().waitFor()
    const places = await hours.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect))
    for (const [index, { right, top }] of places.entries()) {
      const next = places[index + 1]
      if (next?.top === top) expect(next.left).toBeGreaterThan(right)
    }
    // What is beside the brand takes its room.
    await page.locator('header [aria-haspopup=menu]').waitFor()
    await page.locator('header [aria-haspopup=dialog]').waitFor()
    const brand = page.locator('header a span')
    expect(await brand.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0)
    expect(await sideways(page)).toBe(0)
    await page.goto(`${home.product.web}/admin/users`)
    const mail = page.getByText('monitor@example.com')
    await mail.waitFor()
    expect(await mail.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0)
    expect(await sideways(page)).toBe(0)
  })
})
