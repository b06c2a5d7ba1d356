import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startProduct, type Product } from '@batti/launcher/testing/start-product'
import { axeFaults } from '../axe-faults.ts'
import { openBrowser } from '../open-browser.ts'
import { chooseFrom, timeAppeared, whenFontsLoaded } from '../pages.ts'
import { openAs } from './open-as.ts'

let product: Product
let browser: Browser

beforeAll(async () => {
  ;[product, browser] = await Promise.all([startProduct(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const open = (role: string, width?: number) => openAs(browser, product, role, width)

const pathsOf = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))

/** Every page that a role has a link to: in its dropdown, its side bar, its quick navigation and its tiles. */
async function waysOf(page: Page, role: string) {
  await page.goto(`${product.web}/${role}/dashboard`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  const others = await pathsOf(page, 'nav a, main a')
  await page.getByRole('button', { name: /^Account menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Change Password' }).waitFor()
  const dropdown = await pathsOf(page, '[role=menu] a')
  await page.keyboard.press('Escape')
  return { dropdown, all: [...new Set([...dropdown, ...others])].filter((path) => path.startsWith(`/${role}/`)) }
}

it('every entry of every menu, every tile and the quick navigation lead to a page: 34 by the dropdowns', async () => {
  let byDropdown = 0
  for (const role of ['user', 'admin', 'monitor']) {
    const page = await open(role)
    const { dropdown, all } = await waysOf(page, role)
    byDropdown += new Set(dropdown.filter((path) => !path.includes('?action='))).size
    for (const path of all) {
      await page.goto(`${product.web}${path}`)
      // Change Password opens its dialog over the page.
      await page.locator('h1').first().waitFor()
      await page.waitForLoadState('networkidle')
      const { pathname } = new URL(page.url())
      const isRefused = (await page.getByText('This page needs the permission').count()) > 0
      const hasFailed = (await page.getByRole('alert').count()) > 0
      expect({ path, pathname, isRefused, hasFailed }).toEqual({
        path,
        pathname: path.split('?')[0],
        isRefused: false,
        hasFailed: false
      })
    }
    await page.context().close()
  }
  expect(byDropdown).toBe(34)
})

it('Find leads from a part of a MAC to the board, from a name to the person, and toggles in place', async () => {
  const page = await open('admin')
  await page.goto(`${product.web}/admin/devices`)
  const mac = (
    await page
      .getByText(/^34:98:7A:/)
      .first()
      .innerText()
  ).trim()
  // Its shortcut works when its button is shown: its code loads after the page's.
  await page.getByRole('button', { name: 'Find a board, person, page' }).waitFor()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Find a board, person, page' })
  await field.fill(mac.slice(9).replaceAll(':', '').toLowerCase())
  await page.getByRole('option', { name: new RegExp(mac) }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('option', { name: 'Toggle its switches' }).click()
  const switches = page.getByRole('dialog')
  await switches.getByText(mac).waitFor()
  await switches.getByRole('switch').first().waitFor()
  await page.keyboard.press('Escape')
  await switches.waitFor({ state: 'detached' })

  await page.keyboard.press('Control+k')
  await field.fill(mac)
  await page.getByRole('option', { name: 'Update firmware' }).click()
  const update = page.getByRole('dialog', { name: 'Update firmware' })
  await update.getByText(mac).waitFor()
  await page.keyboard.press('Escape')
  await update.waitFor({ state: 'detached' })

  await page.locator('body').press('/')
  await field.fill('sita')
  await page
    .getByRole('option', { name: /Sita Sharma/ })
    .first()
    .waitFor()
  // Down to the first person, past her boards.
  const people = page.getByRole('group', { name: 'People' }).getByRole('option').first()
  while ((await people.getAttribute('data-highlighted')) === null) await field.press('ArrowDown')
  await field.press('Enter')
  await page.waitForURL(/\/admin\/users\/[0-9a-f]{24}$/)
  await page.getByRole('heading', { level: 1, name: 'Sita Sharma' }).waitFor()
  await page.getByRole('region', { name: 'Devices' }).getByRole('listitem').nth(3).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.context().close()
})

it.each(['en', 'ne'])(
  'in a window 1280 px wide all that is wrong with a board is in its row, in %s',
  async (language) => {
    const page = await open('admin', 1280)
    await page.evaluate((chosen) => localStorage.setItem('language', chosen), language)
    await page.route('**/api/v1/devices?*', async (call) => {
      const response = await call.fetch()
      const reasons = '"reasons":["flapping","weak","outdated"]'
      await call.fulfill({ response, body: (await response.text()).replaceAll('"reasons":[]', reasons) })
    })
    await page.goto(`${product.web}/admin/devices`)
    const reasons = page.locator('tr[data-row] .text-warn > span').first()
    await reasons.waitFor()
    await whenFontsLoaded(page)
    const hidden = (one: Element) => [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight]
    expect(await reasons.evaluate(hidden)).toEqual([0, 0])
    await page.context().close()
  }
)

it.each(['admin', 'monitor'])('on a phone the button of the %s’s dashboard is beside its title', async (role) => {
  const page = await open(role)
  await page.goto(`${product.web}/${role}/dashboard`)
  const title = page.getByRole('heading', { level: 1 })
  const button = page.getByRole('button', { name: 'Refresh' })
  await button.waitFor()
  await whenFontsLoaded(page)
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ width, height: 800 })
    const isBeside = async () => {
      const [text, beside] = await Promise.all([title.boundingBox(), button.boundingBox()])
      return (beside?.y ?? Infinity) < (text?.y ?? 0) + (text?.height ?? 0)
    }
    // The first frame at a new width still has the previous date.
    await expect.poll(isBeside, { message: `${width} px` }).toBe(true)
  }
  await page.context().close()
})

it('boards of a filter get another colour at once, and each confirms it', async () => {
  const page = await open('admin')
  await page.goto(`${product.web}/admin/devices?status=online`)
  await page.getByRole('button', { name: 'Model' }).click()
  await page.getByRole('menu').waitFor()
  const faults = await axeFaults(page, { themes: ['light'] })
  expect(faults.filter((fault) => fault.includes('aria-hidden-focus'))).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
  const bar = page.getByRole('region', { name: 'Selection' })
  await bar.getByText('4 selected').waitFor()
  const size = page.viewportSize()
  await page.setViewportSize({ width: 1440, height: 460 })
  const belowRows = async () => {
    const [box, lastRow] = await Promise.all([bar.boundingBox(), page.getByRole('row').last().boundingBox()])
    return (box?.y ?? 0) - (lastRow?.y ?? Infinity) - (lastRow?.height ?? 0)
  }
  await expect.poll(belowRows).toBeGreaterThan(0)
  await page.setViewportSize({ width: 1280, height: 800 })
  const table = page.getByRole('grid').locator('..')
  await expect.poll(() => table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  // One line: its buttons are 44 px high.
  expect((await bar.boundingBox())?.height).toBeLessThan(64)
  if (size !== null) await page.setViewportSize(size)
  await bar.getByRole('button', { name: 'Colour' }).click()
  const dialog = page.getByRole('dialog', { name: 'Colour' })
  await dialog.getByText('4 boards will be changed.').waitFor()
  await chooseFrom(dialog.getByLabel('Colour'), 'Violet')
  await dialog.getByRole('button', { name: 'Change 4 boards' }).click()
  await dialog.getByText('4 of 4 done').waitFor()
  await dialog.getByText('This change is over.').waitFor()
  await page.context().close()
})

it('a permission that is revoked closes the open page and its entry, and one that is granted opens them', async () => {
  const [admin, monitor] = [await open('admin'), await open('monitor')]
  await monitor.goto(`${product.web}/monitor/devices`)
  await monitor.getByRole('grid', { name: 'Devices' }).waitFor()
  const entry = monitor.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: /^Devices/ })
  await entry.waitFor()

  const change = async () => {
    await admin.goto(`${product.web}/admin/monitors`)
    await admin.getByRole('row', { name: /Hari Adhikari/ }).dblclick()
    const dialog = admin.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: 'view devices' }).click()
    await Promise.all([timeAppeared(admin, 'Monitor updated.'), dialog.getByRole('button', { name: 'Save' }).click()])
  }
  await change()
  await monitor.getByText('This page needs the permission “view devices”.').waitFor()
  await monitor.getByText('An administrator can give it to you under Monitors.').waitFor()
  await entry.waitFor({ state: 'detached' })
  expect(await axeFaults(monitor)).toEqual([])
  // Nobody sees "no permission" for a request that the page itself cancelled.
  expect(await monitor.getByText('You do not have permission to perform this action.').count()).toBe(0)
  await change()
  await monitor.getByRole('grid', { name: 'Devices' }).waitFor()
  await entry.waitFor()
  await Promise.all([admin, monitor].map((page) => page.context().close()))
})
