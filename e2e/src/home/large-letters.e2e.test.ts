import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openContext } from '../open-browser.ts'
import { openHome, type Home } from './a-home.ts'

let home: Home
beforeAll(async () => {
  home = await openHome()
})
afterAll(async () => home?.close())

/** How far a page goes out of the window, with letters of twice the size. */
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

it.each(['en', 'ne'])('letters of twice the size stay in the page for a stranger who reads %s', async (language) => {
  const context = await openContext(home.browser, {})
  await context.addInitScript((chosen) => localStorage.setItem('language', chosen), language)
  const page = await context.newPage()
  for (const path of ['/', '/user/login', '/user/register', '/user/forgot-password', '/support', '/privacy'])
    expect(await sticksOutBy(page, path, 390), path).toBeLessThanOrEqual(0)
  await context.close()
})

it('the dashboard and the pairing have room for such letters on the narrowest phone', async () => {
  for (const path of ['/user/dashboard', '/user/devices/new'])
    expect(await sticksOutBy(home.page, path, 320), path).toBeLessThanOrEqual(0)
})

it('on the narrowest phone a stranger reads the brand, and all digits of a phone number, in Nepali', async () => {
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
