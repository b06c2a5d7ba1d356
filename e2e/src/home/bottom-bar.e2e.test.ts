import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { whenFontsLoaded } from '../pages.ts'
import { openHome, type Home } from './a-home.ts'

let home: Home

beforeAll(async () => {
  home = await openHome()
})
afterAll(async () => home?.close())

/** How far the focused element extends below the upper edge of the bottom bar. */
async function underBar(page: Page): Promise<[by: number, what: string | null | undefined]> {
  return page.evaluate(() => {
    const bar = document.querySelector('[data-quick-nav]')
    const focused = document.activeElement
    // After the last control no element has the focus; the document's body stands for that.
    const isNowhere = focused === document.body || bar?.contains(focused)
    const bottom = isNowhere ? 0 : focused?.getBoundingClientRect().bottom
    return [(bottom ?? 0) - (bar?.getBoundingClientRect().top ?? 0), focused?.textContent]
  })
}

describe('the bottom bar', () => {
  const bar = () => home.page.getByRole('navigation', { name: 'Quick navigation' })
  const topOfBar = async () => (await bar().boundingBox())?.y ?? 0

  it('covers nothing that gets the keyboard focus, on a phone and as a pill', async () => {
    for (const [width, height] of [
      [390, 844],
      [720, 900]
    ] as const) {
      await home.page.setViewportSize({ width, height })
      await home.visit('/user/rooms')
      await home.page.getByRole('button', { name: 'Edit Kitchen' }).waitFor()
      await bar().waitFor()
      await home.page.waitForLoadState('networkidle')
      for (let press = 0; press < 30; press += 1) {
        await home.page.keyboard.press('Tab')
        const [by, what] = await underBar(home.page)
        expect(by, what ?? '').toBeLessThanOrEqual(0)
      }
    }
  })

  it('leaves the focus on the page that was chosen from "More"', async () => {
    await home.page.setViewportSize({ width: 390, height: 844 })
    await home.visit('/user/home')
    const more = bar().getByRole('button', { name: 'More' })
    await more.click()
    await home.page.getByRole('dialog').getByRole('link', { name: 'Rooms' }).click()
    await home.page.getByRole('button', { name: 'Edit Kitchen' }).waitFor()
    await home.page.getByRole('dialog').waitFor({ state: 'detached' })
    const focused = home.page.locator(':focus')
    expect(await focused.evaluate(({ id }) => id)).toBe('content')
  })

  it('does not cover six favourites on a phone of usual size', async () => {
    await home.page.setViewportSize({ width: 390, height: 844 })
    await home.visit('/user/home')
    const cards = home.page.getByRole('article')
    // Five use as many rows as six.
    await cards.nth(4).waitFor()
    await bar().waitFor()
    await whenFontsLoaded(home.page)
    const bottoms = await cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().bottom))
    expect(Math.max(...bottoms)).toBeLessThanOrEqual(await topOfBar())
  })

  it('shows a lost connection above it, in one line', async () => {
    await home.page.setViewportSize({ width: 390, height: 844 })
    await home.page.context().setOffline(true)
    try {
      const word = await home.page.locator('output', { hasText: 'Reconnecting…' }).boundingBox()
      expect(word?.height).toBeLessThan(64)
      expect((word?.y ?? 0) + (word?.height ?? 0)).toBeLessThanOrEqual(await topOfBar())
    } finally {
      await home.page.context().setOffline(false)
    }
    await home.page.getByText('Reconnecting…').waitFor({ state: 'detached' })
  })

  it('leaves the lower edge to a sheet: a lost connection is shown above the sheet, off its fields', async () => {
    await home.page.setViewportSize({ width: 390, height: 844 })
    await home.visit('/user/schedules')
    // What reports a lost connection is loaded with the bar.
    await bar().waitFor()
    await home.page.getByRole('button', { name: 'Add Schedule' }).click()
    const title = home.page.getByRole('dialog').getByRole('heading', { name: 'Add Schedule' })
    await title.waitFor()
    await home.page.context().setOffline(true)
    try {
      const word = home.page.locator('output', { hasText: 'Reconnecting…' })
      await word.waitFor()
      const [ofWord, ofTitle] = await Promise.all([word.boundingBox(), title.boundingBox()])
      expect((ofWord?.y ?? 844) + (ofWord?.height ?? 0)).toBeLessThanOrEqual(ofTitle?.y ?? 0)
    } finally {
      await home.page.context().setOffline(false)
    }
    await home.page.getByText('Reconnecting…').waitFor({ state: 'detached' })
    await home.page.keyboard.press('Escape')
    await title.waitFor({ state: 'detached' })
  })

  it('has a font size of 12 px on the narrowest phone, and scrolls away in a window as low as one of 400 %', async () => {
    await home.page.setViewportSize({ width: 320, height: 700 })
    await whenFontsLoaded(home.page)
    const entries = bar().locator('a:visible, button:visible')
    expect(
      await entries.first().evaluate((element) => parseFloat(getComputedStyle(element).fontSize))
    ).toBeGreaterThanOrEqual(12)
    const widths = await entries.evaluateAll((all) => all.map((one) => [one.scrollWidth, one.clientWidth]))
    for (const [needed = 0, given = 0] of widths) expect(needed).toBeLessThanOrEqual(given)
    await home.page.setViewportSize({ width: 320, height: 256 })
    await expect.poll(topOfBar).toBeGreaterThan(256)
    await home.page.setViewportSize({ width: 390, height: 844 })
  })
})
