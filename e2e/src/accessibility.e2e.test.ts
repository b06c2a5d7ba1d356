import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { axeFaults } from './axe-faults.ts'
import { openBrowser, openContext } from './open-browser.ts'
import { logInOn, openSwitches } from './pages.ts'
import { accountOf, startProduct, type Product } from '@batti/launcher/testing/start-product'

let product: Product
let browser: Browser
let page: Page

beforeAll(async () => {
  ;[product, browser] = await Promise.all([startProduct(), openBrowser()])
  const context = await openContext(browser, { reducedMotion: 'reduce', viewport: { width: 390, height: 844 } })
  page = await context.newPage()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

it.each([
  ['the login', '/user/login', 'Login'],
  ['the sign-up', '/user/register', 'Create Account']
])('%s is accessible', async (_what, path, button) => {
  await page.goto(`${product.web}${path}`)
  await page.getByRole('button', { name: button, exact: true }).waitFor()
  expect(await axeFaults(page)).toEqual([])
})

it('text follows the font size of the browser', async () => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 24 } })
  await page.goto(`${product.web}/user/login`)
  const button = page.getByRole('button', { name: 'Login', exact: true })
  expect(await button.evaluate((element) => getComputedStyle(element).fontSize)).toBe('24px')
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 16 } })
})

it('my devices, a board’s switches and the pairing are accessible', async () => {
  await logInOn(page, product.web, accountOf(product, 'user'))
  await page.goto(`${product.web}/user/devices`)
  await page.getByRole('heading', { level: 2, name: 'Living room wall' }).waitFor()
  expect(await axeFaults(page)).toEqual([])

  const dialog = await openSwitches(page, product.web, 'Bedroom wall')
  await dialog.getByText('Online', { exact: true }).waitFor()
  expect(await axeFaults(page)).toEqual([])

  await page.goto(`${product.web}/user/devices/new`)
  await page.getByRole('button', { name: 'Send to the board' }).waitFor()
  expect(await axeFaults(page)).toEqual([])
})

it('the outbox and the wall are accessible', async () => {
  for (const url of [product.outbox, product.wall]) {
    await page.goto(url)
    await page.getByRole('heading').first().waitFor()
    expect(await axeFaults(page)).toEqual([])
  }
})
