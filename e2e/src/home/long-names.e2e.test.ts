import { createClient } from '@batti/client/client'
import {
  listDevices,
  listRooms,
  listSchedules,
  listSwitches,
  updateAccount,
  updateDevice,
  updateRoom,
  updateSchedule,
  updateSwitch
} from '@batti/contracts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountOf } from '@batti/launcher/testing/start-product'
import { openContext } from '../open-browser.ts'
import { logInOn } from '../pages.ts'
import { logIn, pairBoard } from '../people.ts'
import { openHome, type Home } from './a-home.ts'

let home: Home
const words =
  'The lamp above the long table in the dining room that grandfather brought home from Bhaktapur by bus'.slice(0, 100)
const oneWord = 'Gharkoaganmaaramrarakhekobatti'.repeat(4).slice(0, 100)
const widths = [390, 640, 820, 1024, 1440]
const paths = [
  '/user/home',
  '/user/dashboard',
  '/user/devices',
  '/user/rooms',
  '/user/switches',
  '/user/favorite-switches',
  '/user/schedules',
  '/user/logs',
  '/user/profile',
  '/user/sessions',
  '/user/devices/new',
  '/admin/home',
  '/admin/dashboard',
  '/admin/devices',
  '/admin/rooms',
  '/admin/switches',
  '/admin/favorite-switches',
  '/admin/schedules',
  '/admin/users',
  '/admin/logs',
  '/admin/audit-logs'
]
/** The admin's, beside the home owner's. */
let admins: Page
/** Staff's pages of one board and of its owner. */
let named: readonly string[] = []

beforeAll(async () => {
  home = await openHome()
  // Enough switches for a phone to show them as rows.
  const owner = accountOf(home.product, 'user')
  const signed = await logIn(home.product, owner.email, owner.password)
  for (const name of ['Attic', 'Cellar', 'Veranda'])
    await pairBoard(home.product, home.wall, signed, { model: 'BT4', name })
  admins = await (await openContext(home.browser, {})).newPage()
  await logInOn(admins, home.product.web, accountOf(home.product, 'admin'))
})
afterAll(async () => home?.close())

/** Renames everything to a name of the maximum length. */
async function nameEverything(name: string): Promise<void> {
  const { product } = home
  const { email, password } = accountOf(product, 'user')
  const { token } = await logIn(product, email, password)
  const client = createClient({ base: product.web, token })
  const { _id: person } = await client.call(updateAccount, { body: { name } })
  const [{ rooms }, { devices }, { switches }, { schedules }] = await Promise.all([
    client.call(listRooms),
    client.call(listDevices),
    client.call(listSwitches),
    client.call(listSchedules)
  ])
  const numbered = (number: number) => `${number}${name}`.slice(0, 100)
  for (const [at, { _id: id }] of rooms.entries())
    await client.call(updateRoom, { params: { id }, body: { roomName: numbered(at) } })
  for (const { _id: id } of devices) await client.call(updateDevice, { params: { id }, body: { setName: name } })
  for (const { _id: id } of switches) await client.call(updateSwitch, { params: { id }, body: { switchName: name } })
  for (const { _id: id } of schedules) await client.call(updateSchedule, { params: { id }, body: { label: name } })
  named = [`/admin/devices/${devices[0]?._id ?? ''}`, `/admin/users/${person}`]
}

/**
 * Headings of more than two lines, and what is behind the quick navigation or the profile menu at the top of the page.
 */
const faultsOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const faults: string[] = []
    const root = document.documentElement
    if (root.scrollWidth > window.innerWidth)
      faults.push(`scrolls sideways by ${root.scrollWidth - window.innerWidth} px`)
    for (const heading of document.querySelectorAll('main h1, main h2, main h3')) {
      const lines = heading.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(heading).lineHeight)
      // A heading that is a large target has padding besides its two lines.
      if (lines > 2.8) faults.push(`${heading.tagName} of ${lines.toFixed(1)} lines: ${heading.textContent}`)
    }
    const boxOf = (element: Element | null) => element?.getBoundingClientRect() ?? new DOMRect()
    const meets = (a: DOMRect, b: DOMRect) =>
      a.width > 0 && b.width > 0 && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
    const floating = [...document.querySelectorAll('nav[aria-label="Quick navigation"], header [aria-haspopup="menu"]')]
    const fixed = [...document.querySelectorAll('main a, main button, main h1')].filter((element) => {
      const { position } = getComputedStyle(element)
      return position === 'fixed' || element.closest('main header') !== null
    })
    for (const above of floating)
      for (const below of fixed)
        if (above !== below && meets(boxOf(above), boxOf(below)))
          faults.push(`${below.textContent} lies under ${above.textContent}`)
    return faults
  })

/** What overflows the window on either side, of everything that is open over the page. */
const sticksOut = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=listbox]')]
      .flatMap((dialog) => [dialog, ...dialog.querySelectorAll('button, input, label, [role=option]')])
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.left < 0 || box.right > window.innerWidth)
      .map(({ element, box }) => `${element.textContent} from ${box.left} to ${box.right}`)
  )

/** Texts of dialogs that are cut, and whole nowhere. */
const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role=dialog] *, [role=alertdialog] *')]
      .filter((element) => getComputedStyle(element).textOverflow === 'ellipsis' && element.closest('[title]') === null)
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ textContent }) => textContent)
  )

const openMenu = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name: /^Options of/ })
    .first()
    .click()
/** Dialogs that show names, and how to open them. */
const dialogs: readonly [what: string, path: string, open: (page: Page) => Promise<void>][] = [
  ['the switches of a board', '/user/devices', (page) => page.locator('main h2 button').first().click()],
  [
    'the details of a board',
    '/user/devices',
    async (page) => {
      await openMenu(page)
      await page.getByRole('menuitem', { name: 'View' }).click()
    }
  ],
  [
    'the question before a board is deleted',
    '/user/devices',
    async (page) => {
      await openMenu(page)
      await page.getByRole('menuitem', { name: 'Delete' }).click()
    }
  ],
  ['a room', '/user/rooms', (page) => page.locator('main h2 button').first().click()],
  ['a new schedule', '/user/schedules', (page) => page.getByRole('button', { name: 'Add Schedule' }).click()],
  [
    'the choice of a switch',
    '/user/schedules',
    async (page) => {
      await page.getByRole('button', { name: 'Add Schedule' }).click()
      await page.getByRole('dialog').getByRole('combobox').first().click()
      await page.getByRole('option').first().waitFor()
    }
  ],
  [
    'a new schedule of a switch',
    '/user/switches',
    async (page) => {
      await openMenu(page)
      await page.getByRole('button', { name: 'Add Schedule' }).click()
      await page.getByRole('dialog', { name: 'Add Schedule' }).waitFor()
    }
  ],
  ['a schedule', '/user/schedules', (page) => page.getByRole('button', { name: /^Edit/ }).first().click()]
]

describe.each([
  ['with spaces', words],
  ['without spaces', oneWord]
])('names of 100 characters %s', (_what, name) => {
  beforeAll(() => nameEverything(name))

  it('leave the options of a switch as wide as their content', async () => {
    const { page, product } = home
    await page.goto(`${product.web}/user/switches`)
    await page
      .getByRole('button', { name: /^Options of/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Rename' }).waitFor()
    const box = await page.getByRole('dialog').boundingBox()
    expect(box?.width).toBeLessThan(300)
  })

  it.each(dialogs)('fit into %s on a phone', async (_dialog, path, open) => {
    const { page, product } = home
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${product.web}${path}`)
    await open(page)
    await page.locator('[role=dialog] button, [role=alertdialog] button').first().waitFor()
    await page.waitForLoadState('networkidle')
    // It moves while it opens.
    await expect.poll(() => sticksOut(page)).toEqual([])
    expect(await cutTexts(page)).toEqual([])
  })

  it('leave the toggle and the options of each row of a large home visible on a phone', async () => {
    const { page, product } = home
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${product.web}/user/switches`)
    await page.locator('[data-room-head]').first().waitFor()
    expect(await faultsOn(page)).toEqual([])
    const options = page.getByRole('main').getByRole('button', { name: /^Options of/ })
    expect(await options.count()).toBeGreaterThan(24)
    for (const { x, width } of (await options.evaluateAll((all) =>
      all.map((each) => each.getBoundingClientRect().toJSON())
    )) as DOMRect[])
      expect(x + width).toBeLessThanOrEqual(390)
  })

  it('fit on the page of a switch on a phone', async () => {
    const { page, product } = home
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${product.web}/user/dashboard`)
    await page.locator('main a[href^="/user/switches/"]').first().click()
    await page.getByRole('link', { name: 'All switches' }).waitFor()
    await page.waitForLoadState('networkidle')
    await expect.poll(() => faultsOn(page)).toEqual([])
  })

  it('fit on staff’s pages of a board and of a person on a phone, with the buttons in one line', async () => {
    await admins.setViewportSize({ width: 390, height: 844 })
    for (const path of named) {
      await admins.goto(`${home.product.web}${path}`)
      await admins.getByRole('heading', { level: 1, name }).waitFor()
      await admins.waitForLoadState('networkidle')
      await expect.poll(() => faultsOn(admins), { message: path }).toEqual([])
      const tops = await admins
        .locator('main header :is(a, button):has(svg)')
        .evaluateAll((buttons) => buttons.map((button) => Math.round(button.getBoundingClientRect().top)))
      expect(tops.length).toBeGreaterThan(2)
      expect(new Set(tops).size).toBe(1)
    }
  })

  it('fit into the update of a board on a phone', async () => {
    await admins.setViewportSize({ width: 390, height: 844 })
    await admins.goto(`${home.product.web}${named[0] ?? ''}`)
    await admins.getByRole('main').getByRole('button', { name: 'Update', exact: true }).click()
    const title = admins.getByRole('dialog').getByText(name, { exact: true })
    await expect
      .poll(async () => {
        const box = await title.boundingBox()
        return box === null ? Infinity : box.x + box.width
      })
      .toBeLessThanOrEqual(390)
  })

  it('leave an owner’s phone number complete on a board’s card, on a phone', async () => {
    await admins.setViewportSize({ width: 390, height: 844 })
    await admins.goto(`${home.product.web}/admin/devices`)
    const number = admins
      .getByRole('main')
      .getByTitle(/^\+977\d+$/)
      .first()
    await number.waitFor()
    expect(await number.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
  })

  it.each(paths)('fit on %s at every width', async (path) => {
    const page = path.startsWith('/admin') ? admins : home.page
    await page.goto(`${home.product.web}${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      // The first frame at a new width still has the previous bars.
      await expect.poll(() => faultsOn(page), { message: `${width} px` }).toEqual([])
    }
  })
})
