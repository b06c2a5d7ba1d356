import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { axeFaults } from '../axe-faults.ts'
import { openBrowser } from '../open-browser.ts'
import { timeAppeared } from '../pages.ts'
import { call, logIn } from '../people.ts'
import { openAs } from './open-as.ts'
import { accountOf, startProduct, type Product } from '@batti/launcher/testing/start-product'

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

const pages = [
  ['dashboard', 'Admin Dashboard'],
  ['home', 'Hi! Administrator'],
  ['devices', 'Devices'],
  ['fleet', 'Fleet health'],
  ['device-types', 'Device Types'],
  ['rooms', 'Rooms'],
  ['switches', 'All Switches'],
  ['favorite-switches', 'Favorite Switches'],
  ['schedules', 'Schedules'],
  ['users', 'Users'],
  ['monitors', 'Monitors'],
  ['logs', 'Switch Action Logs'],
  ['audit-logs', 'Audit log'],
  ['unauthorized-logs', 'Unauthorized Logs']
] as const

// Colours are the same at every width.
it.each([
  { width: 1440, language: 'en', themes: ['light', 'dark'] },
  { width: 390, language: 'en', themes: ['light'] },
  { width: 390, language: 'ne', themes: ['light'] }
] as const)(
  'every page of the admin is accessible, $width px wide, in $language',
  async ({ width, language, themes }) => {
    const page = await open('admin', width)
    await page.evaluate((chosen) => localStorage.setItem('language', chosen), language)
    for (const [path, title] of pages) {
      await page.goto(`${product.web}/admin/${path}`)
      const heading = page.locator(`html[lang="${language}"]`).getByRole('heading', { level: 1 })
      await (language === 'en' ? heading.filter({ hasText: title }) : heading).waitFor()
      await page.waitForLoadState('networkidle')
      expect({ path, faults: await axeFaults(page, { themes }) }).toEqual({ path, faults: [] })
      const [content, view] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
      expect({ path, isWider: (content ?? 0) > (view ?? 0) }).toEqual({ path, isWider: false })
    }
    await page.context().close()
  }
)

it('on a low phone what opens over a page is accessible, and every keyboard scrolls its text', async () => {
  const page = await open('admin', 390)
  await page.setViewportSize({ width: 390, height: 420 })
  // A change with more fields than the dialog shows at once.
  const { email, password } = accountOf(product, 'admin')
  const { token } = await logIn(product, email, password)
  const person = { name: 'Bina Rai', email: 'bina@example.com', phone: '9801234599', countryCode: '+977', role: 'user' }
  await call(product, '/users', { token, body: { ...person, password: 'three quiet lamps' } })
  const opened = [
    ['devices', 'dialog', 'Filter'],
    ['devices', 'menu', 'Sort by'],
    ['devices', 'menu', 'Actions for Living room wall'],
    ['device-types', 'dialog', 'Add Device Type'],
    ['devices', 'dialog', 'Add Device', 'User'],
    ['schedules', 'dialog', 'Add Schedule', 'Switch'],
    ['users', 'dialog', 'Add User'],
    ['monitors', 'dialog', 'Add Monitor'],
    ['logs', 'alertdialog', 'Clear All Logs'],
    ['audit-logs', 'dialog', 'User: created']
  ] as const
  for (const [path, role, button, list] of opened) {
    await page.goto(`${product.web}/admin/${path}`)
    await page.getByRole('main').getByRole('button', { name: button, exact: true }).first().click()
    await page.getByRole(role).waitFor()
    if (list !== undefined) {
      await page.getByRole('combobox', { name: list }).click()
      await page.getByRole('option').first().waitFor()
    }
    const faults = await axeFaults(page, { within: `[role="${role}"]` })
    expect({ path, button, faults }).toEqual({ path, button, faults: [] })
  }
  await page.context().close()
})

it('the code of a page is loaded when a mouse is over its link, before it is clicked', async () => {
  const page = await open('admin')
  const [code] = await Promise.all([
    page.waitForResponse('**/assets/audit-logs-*.js'),
    page.getByRole('link', { name: 'Audit log', exact: true }).hover()
  ])
  expect(code.status()).toBe(200)
  expect(page.url()).not.toContain('audit-logs')
  await page.context().close()
})

it('a filter and a column pressed right after it are both in the address, however slowly the page is drawn', async () => {
  const page = await open('admin')
  await page.goto(`${product.web}/admin/devices`)
  const column = page.getByRole('columnheader').getByRole('button').first()
  await column.waitFor()
  const filter = await page
    .getByRole('group')
    .getByRole('button', { name: /^Online/ })
    .elementHandle()
  // Between two presses of a person microtasks run, and on a slow machine nothing else.
  await column.evaluate(async (second, first) => {
    if (first instanceof HTMLElement) first.click()
    await Promise.resolve()
    if (second instanceof HTMLElement) second.click()
  }, filter)
  await page.waitForURL((url) => url.searchParams.has('sort') && url.searchParams.get('status') === 'online')
  await page.context().close()
})

it('a row that has the keyboard focus is framed, its sticky cells too', async () => {
  const page = await open('admin')
  await page.goto(`${product.web}/admin/device-types`)
  const row = page.getByRole('row').nth(2)
  await row.waitFor()
  await page.getByRole('button', { name: 'Columns' }).focus()
  while (!(await row.evaluate((one) => one === document.activeElement))) {
    await page.keyboard.press(await page.evaluate(() => (document.activeElement?.matches('tr') ? 'ArrowDown' : 'Tab')))
  }
  const frames = await row.getByRole('gridcell').evaluateAll((all) => all.map((one) => getComputedStyle(one).boxShadow))
  expect(frames.length).toBeGreaterThan(4)
  expect(frames.filter((frame) => frame === 'none')).toEqual([])
  await page.context().close()
})

it('nothing that has the keyboard focus is covered, by a bar, the header or the column beside it', async () => {
  const page = await open('admin')
  await page.setViewportSize({ width: 1280, height: 400 })
  await page.goto(`${product.web}/admin/devices`)
  await page.getByRole('row').nth(1).waitFor()
  const covered: string[] = []
  const press = async (key: string) => {
    await page.keyboard.press(key)
    const name = await page.evaluate(() => {
      const focused = document.activeElement
      if (focused === null || focused.matches('body, main, tr')) return null
      const { left, right, top, bottom } = focused.getBoundingClientRect()
      const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return focused.contains(found) ? null : focused.textContent
    })
    if (name !== null) covered.push(name)
    return page.evaluate(() => document.activeElement?.matches('tr') === true)
  }
  await page.locator('main').evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  while (!(await press('Tab')));
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  for (let back = 0; back < 26; back++) await press('Shift+Tab')
  expect(covered).toEqual([])
  await page.context().close()
})

it('the choice that the arrow keys have reached is framed, with forced colours in the search too', async () => {
  const page = await open('admin')
  await page.goto(`${product.web}/admin/device-types`)
  await page.getByRole('button', { name: 'Find a board, person, page' }).waitFor()
  await page
    .getByRole('button', { name: /^Actions for / })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('ArrowDown')
  const reached = page.locator('[data-highlighted]')
  const frame = () => reached.evaluate((one) => getComputedStyle(one).outlineStyle)
  await expect.poll(frame).toBe('solid')
  await page.keyboard.press('Escape')
  await reached.waitFor({ state: 'detached' })
  await page.emulateMedia({ forcedColors: 'active' })
  await page.keyboard.press('Control+k')
  await expect.poll(frame).toBe('solid')
  await page.context().close()
})

it('with the text spacing of WCAG 1.4.12 nothing is cut on the narrowest phone, and the bar fits', async () => {
  const page = await open('admin', 320)
  for (const path of ['device-types', 'devices', 'audit-logs']) {
    await page.goto(`${product.web}/admin/${path}`)
    const cards = page.locator('main li h2')
    await cards.first().waitFor()
    await page.addStyleTag({
      content: '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }'
    })
    const cut = await page.locator('main li *').evaluateAll((all) =>
      all
        .filter((one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX === 'hidden')
        .filter((one) => one.clientWidth > 1)
        .map((one) => one.textContent)
    )
    expect({ path, cut }).toEqual({ path, cut: [] })
    const entries = page.getByRole('navigation', { name: 'Quick navigation' }).getByRole('listitem')
    // It is loaded beside the list.
    await entries.last().waitFor()
    const ends = await entries.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))
    expect(Math.max(...ends)).toBeLessThanOrEqual(320)
  }
  await page.context().close()
})

it('with letters twice as large a phone shows a filter’s choices, a change and a room’s boards whole', async () => {
  const page = await open('admin', 390)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
  await page.goto(`${product.web}/admin/audit-logs`)
  await page.getByRole('button', { name: 'Action', exact: true }).click()
  await page.getByRole('menu').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.keyboard.press('Escape')
  await page
    .getByRole('button', { name: /: created$/ })
    .first()
    .click()
  const changes = page.getByRole('dialog').getByRole('table')
  expect(await changes.evaluate((table) => table.scrollWidth)).toBeLessThanOrEqual(390)
  await page.goto(`${product.web}/admin/rooms`)
  await page.getByRole('button', { name: /^Kitchen/ }).click()
  const board = page.getByRole('dialog').getByText('Kitchen ceiling')
  await board.waitFor()
  expect((await board.boundingBox())?.width).toBeGreaterThan(100)
  await page.context().close()
})

it('in a window as low as at 400 % zoom the bar of a selection is one line, through which the focus goes', async () => {
  const page = await open('admin', 320)
  await page.setViewportSize({ width: 320, height: 256 })
  await page.goto(`${product.web}/admin/devices`)
  await page.getByRole('checkbox').first().press('Space')
  const bar = page.getByRole('region', { name: 'Selection' })
  expect((await bar.boundingBox())?.height).toBeLessThan(70)
  const last = bar.getByRole('button').last()
  await last.focus()
  expect((await last.boundingBox())?.x).toBeLessThan(320 - 44)
  await page.context().close()
})

it('in a window as low as at 400 % zoom the menu of a row has the height of the window, and its button is free', async () => {
  const page = await open('admin', 320)
  await page.setViewportSize({ width: 320, height: 256 })
  await page.goto(`${product.web}/admin/devices`)
  const button = page.getByRole('button', { name: 'Actions for Living room wall' })
  await button.click()
  const [menu, beside] = await Promise.all([page.getByRole('menu').boundingBox(), button.boundingBox()])
  expect(menu?.height).toBe(256 - 2 * 8)
  expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0)
  await page.context().close()
})

it('of a long name in Arabic the end is cut, not the beginning', async () => {
  const { email, password } = accountOf(product, 'user')
  const { token } = await logIn(product, email, password)
  await call(product, '/rooms', {
    token,
    body: { roomName: 'غرفة المعيشة الكبيرة في الطابق الثاني '.repeat(2).trim() }
  })
  const page = await open('user', 390)
  await page.goto(`${product.web}/user/home`)
  const name = page.locator('.truncate', { hasText: 'غرفة المعيشة' }).first()
  await name.waitFor()
  const [box, first] = await name.evaluate((element) => {
    const range = document.createRange()
    range.setStart(element.firstChild ?? element, 0)
    range.setEnd(element.firstChild ?? element, 1)
    return [element.getBoundingClientRect().right, range.getBoundingClientRect().right]
  })
  expect(first).toBeLessThanOrEqual((box ?? 0) + 1)
  await page.context().close()
})

it('on a tablet a list that fills the window ends above the quick navigation', async () => {
  const page = await open('admin', 768)
  await page.goto(`${product.web}/admin/logs`)
  const list = page.locator('table').locator('..')
  await list.getByRole('row').nth(10).waitFor()
  const bar = page.getByRole('navigation', { name: 'Quick navigation' })
  await bar.waitFor()
  const [rows, pill] = await Promise.all([list.boundingBox(), bar.boundingBox()])
  const endOf = (rows?.y ?? Infinity) + (rows?.height ?? 0)
  expect(endOf).toBeLessThanOrEqual(pill?.y ?? 0)
  await page.context().close()
})

it('the side bar of a low window shows the link of the current page above the quick navigation', async () => {
  const page = await open('admin', 1280)
  await page.setViewportSize({ width: 1280, height: 600 })
  await page.goto(`${product.web}/admin/audit-logs`)
  const [link, bar] = [
    page.locator('aside [aria-current=page]'),
    page.getByRole('navigation', { name: 'Quick navigation' })
  ]
  await Promise.all([link.waitFor(), bar.waitFor()])
  const [current, pill] = await Promise.all([link.boundingBox(), bar.boundingBox()])
  expect((current?.y ?? Infinity) + (current?.height ?? 0)).toBeLessThanOrEqual(pill?.y ?? 0)
  await page.context().close()
})

it('the admin adds a user, finds it, and deletes it', async () => {
  const page = await open('admin')
  await page
    .getByRole('link', { name: /^Users/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Add User' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Bimala Rai')
  await dialog.getByLabel('Email').fill('bimala@example.com')
  await dialog.getByLabel('Phone').fill('123')
  await dialog.getByLabel('Password', { exact: true }).fill('long enough 1')
  await dialog.getByRole('button', { name: 'Add User' }).click()
  await dialog.getByText('Phone number must be exactly 10 digits.').waitFor()
  await dialog.getByLabel('Phone').fill('9841112233')
  // The server's refusal is shown at its field, which has the focus.
  const email = dialog.getByLabel('Email')
  await email.fill('sita@example.com')
  await Promise.all([timeAppeared(page, 'Another account has this email.'), email.press('Enter')])
  await expect.poll(() => email.evaluate((field) => field === document.activeElement)).toBe(true)
  await email.fill('bimala@example.com')
  await Promise.all([timeAppeared(page, 'User created.'), dialog.getByRole('button', { name: 'Add User' }).click()])

  await page.getByRole('searchbox').fill('bimala')
  await page.getByRole('button', { name: 'Search API' }).click()
  await page.waitForURL(/search=bimala/)
  const row = page.getByRole('row', { name: /Bimala Rai/ })
  await row.getByRole('button', { name: 'Actions for Bimala Rai' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const sure = page.getByRole('alertdialog').getByRole('button', { name: 'Delete' })
  await Promise.all([timeAppeared(page, 'User deleted.'), sure.click()])
  await page.getByText('No users found').waitFor()
  await page.context().close()
})

it('a monitor sees only the entries of its permissions, and other pages name the missing permission', async () => {
  const admin = await open('admin')
  await admin.goto(`${product.web}/admin/monitors`)
  await admin.getByRole('row', { name: /Hari Adhikari/ }).dblclick()
  const dialog = admin.getByRole('dialog')
  const wanted = dialog.getByRole('checkbox', { checked: true })
  await wanted.first().waitFor()
  for (const name of await wanted.evaluateAll((boxes) => boxes.map((box) => box.getAttribute('aria-label') ?? '')))
    if (name !== 'view logs') await dialog.getByRole('checkbox', { name }).click()
  await Promise.all([timeAppeared(admin, 'Monitor updated.'), dialog.getByRole('button', { name: 'Save' }).click()])

  const page = await open('monitor')
  const nav = page.getByRole('navigation', { name: 'Pages', exact: true })
  await nav.getByRole('link', { name: 'Logs' }).waitFor()
  expect(await nav.getByRole('link').allInnerTexts()).toEqual(['Dashboard', 'Home', 'Logs'])
  await page.goto(`${product.web}/monitor/devices`)
  await page.getByText('This page needs the permission “view devices”.').waitFor()
  expect(await axeFaults(page)).toEqual([])
})

it('on a phone the fleet’s figures have no background of their own, and a title has one line', async () => {
  const page = await open('admin', 390)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`${product.web}/admin/fleet`)
  const figure = page.getByRole('listitem').filter({ hasText: 'All boards' })
  await figure.waitFor()
  expect(await figure.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe('rgba(0, 0, 0, 0)')
  await page.goto(`${product.web}/admin/device-types`)
  const title = page.getByRole('heading', { level: 1 })
  await title.waitFor()
  expect((await title.boundingBox())?.height).toBeLessThan(40)
  await page.context().close()
})

// Chromium draws a button of a table header on the first sheet only.
it('the header of a printed list shows no button', async () => {
  const page = await open('admin')
  await page.goto(`${product.web}/admin/logs`)
  const sort = page.locator('thead button').first()
  await sort.waitFor()
  await page.emulateMedia({ media: 'print' })
  expect(await sort.evaluate((one) => getComputedStyle(one).display)).toBe('contents')
  await page.context().close()
})

it('all logs are cleared after a confirmation; the audit log keeps that it was done', async () => {
  const page = await open('admin')
  await page.goto(`${product.web}/admin/logs`)
  await page.getByRole('button', { name: 'Clear All Logs', exact: true }).click()
  const sure = page.getByRole('alertdialog', { name: 'Clear All Logs' })
  await sure.getByText('Are you sure you want to clear all logs? This action is irreversible.').waitFor()
  const clear = sure.getByRole('button', { name: 'Clear All Logs', exact: true })
  await Promise.all([timeAppeared(page, 'Logs cleared.'), clear.click()])
  await page.getByText('No logs available').waitFor()
  await page.goto(`${product.web}/admin/audit-logs`)
  await page.getByRole('row', { name: /Action log: cleared/ }).waitFor()
  await page.context().close()
})
