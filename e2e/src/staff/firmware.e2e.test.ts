import { createSharedResources } from '@batti/firmware-sim/board/shared-resources'
import type { Board } from '@batti/firmware-sim/board/board'
import { createSharedTimer } from '@batti/firmware-sim/board/shared-timer'
import { createFleet, type Fleet } from '@batti/firmware-sim/fleet'
import { logIn, setUpAll } from '@batti/firmware-sim/pairing'
import { keyIdOf, signImage } from '@batti/firmware/image-block'
import { minuteMs } from '@batti/kit/durations'
import { accountOf, startProduct, type Product } from '@batti/launcher/testing/start-product'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { axeFaults } from '../axe-faults.ts'
import { openBrowser, openContext } from '../open-browser.ts'
import { chooseFrom, logInOn, tap, timeAppeared, toggleOf } from '../pages.ts'

/**
 * What an administrator does with boards and firmware from an empty server on, page by page: each step builds on the last.
 */
const sita = { name: 'Sita Karki', email: 'sita@example.com', phone: '9801234567', password: 'three quiet lamps' }
const boards = 50
/** Time for the whole fleet on a machine that is busy with other tests. */
const forAll = { timeout: 4 * minuteMs }
const keys = generateKeyPairSync('ed25519')

/** The real clock, whose waits of boards can be held. */
function createHeldClock() {
  const timer = createSharedTimer()
  let held: (() => void)[] | null = null
  return {
    ...timer,
    after(delayMs: number, run: () => void) {
      let isCancelled = false
      const end = () => void (isCancelled || run())
      const cancel = timer.after(delayMs, () => (held === null ? end() : held.push(end)))
      return () => {
        isCancelled = true
        cancel()
      }
    },
    hold: () => void (held = []),
    release() {
      const waiting = held ?? []
      held = null
      for (const end of waiting) end()
    }
  }
}
const clock = createHeldClock()

let folder = ''
let product: Product
let browser: Browser
let admin: Page
let fleet: Fleet
let first: Board

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'batti-e2e-firmware-'))
  const trusted = join(folder, 'firmware.pub.pem')
  await writeFile(trusted, keys.publicKey.export({ type: 'spki', format: 'pem' }))
  const env = {
    // Long enough for a board to be seen online, short enough for a test.
    FIRMWARE_PROVE_S: '1',
    FIRMWARE_TRUSTED_KEYS: trusted,
    // The proxy in front of the server is trusted, so that a call can come from any address.
    TRUST_PROXY: 'loopback'
  }
  ;[product, browser] = await Promise.all([startProduct({ empty: true, env }), openBrowser()])
  const trustedKeys = [{ keyId: keyIdOf(keys.publicKey), publicKey: keys.publicKey }]
  const shared = createSharedResources({ clock, trustedKeys })
  fleet = createFleet({ folder: null, host: '127.0.0.1', historyLimit: 100, joinMs: 0, faults: {}, shared })
  first = await fleet.add({ model: 'BT4', name: 'Kitchen', setupPort: 0 })
  admin = await open(accountOf(product, 'admin'))
})
afterAll(async () => {
  await browser?.close()
  await fleet?.close()
  await product?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A user with a browser; `address` is where the server sees them. */
async function open(account = { email: '', password: '' }, address?: string): Promise<Page> {
  const context = await openContext(browser, {
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
    ...(address !== undefined && { extraHTTPHeaders: { 'x-forwarded-for': address } })
  })
  const page = await context.newPage()
  await logInOn(page, product.web, account)
  return page
}
const visit = async (path: string, title: string | RegExp): Promise<void> => {
  await admin.goto(`${product.web}/admin/${path}`)
  await admin.getByRole('heading', { level: 1, name: title }).waitFor()
}
const press = (name: string | RegExp, within: Page | Locator = admin) =>
  within.getByRole('button', { name, exact: true }).click()
const row = (name: string | RegExp): Locator => admin.getByRole('row', { name })
const inMenuOf = async (name: string | RegExp, item: string): Promise<void> => {
  await press(/^Actions for /, row(name))
  await admin.getByRole('menuitem', { name: item, exact: true }).click()
}
/** Fills fields by their labels, in order. */
const fill = async (form: Locator, fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, text] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(text)
}

it('the admin creates a type, a user and a board; its owner sets it up, and the admin toggles it', async () => {
  await visit('device-types', 'Device Types')
  await press('Add Device Type')
  const type = admin.getByRole('dialog', { name: 'Add Device Type' })
  await fill(type, { 'Device code': 'BT4-B', 'Device name': 'Wall 4 brass', 'Hardware model': 'batti-wall-4' })
  await fill(type, { Switches: '4', Fans: '1' })
  await press('Add Device Type', type)
  await type.getByText('Number of fan indexes must exactly match number of fans (1)').waitFor()
  await fill(type, { Fans: '0' })
  await press('Add Device Type', type)
  await row(/Wall 4 brass/).waitFor()

  await visit('users', 'Users')
  await press('Add User')
  const user = admin.getByRole('dialog', { name: 'Add User' })
  await fill(user, { Name: sita.name, Email: sita.email, Phone: sita.phone, Password: sita.password })
  await press('Add User', user)
  await row(/Sita Karki/).waitFor()

  await visit('devices', 'Devices')
  await press('Add Device')
  const board = admin.getByRole('dialog', { name: 'Add Device' })
  await press('Add Device', board)
  await board.getByText('All fields are required').first().waitFor()
  await board.getByRole('combobox', { name: 'User' }).fill('karki')
  await admin.getByRole('option', { name: /Sita Karki/ }).click()
  await chooseFrom(board.getByLabel('Device type'), /BT4-B/)
  await fill(board, { MAC: first.mac.replaceAll(':', '').toLowerCase() })
  await Promise.all([timeAppeared(admin, 'Device added successfully!'), press('Add Device', board)])
  await row(new RegExp(first.mac)).getByText('Never seen').first().waitFor()

  const owner = await open(sita)
  await owner.goto(`${product.web}/user/devices/new?board=${new URL(first.state().setupUrl ?? '').host}`)
  await owner.getByText('Pairing code made').waitFor()
  await owner.getByLabel('Wi-Fi name (SSID)').fill('Home')
  await owner.getByLabel('Wi-Fi password').fill('at home only')
  await press('Send to the board', owner)
  await first.whenOnline(60_000)
  await owner.context().close()

  // The row updates by itself, without loading again.
  await row(new RegExp(first.mac)).getByText('Online', { exact: true }).first().waitFor()
  await inMenuOf(new RegExp(first.mac), 'Toggle')
  await tap(toggleOf(admin.getByRole('dialog'), 1), true)
  expect(first.state().outlets[0]?.on).toBe(true)
})

const image = (name: string, version: string, size = 100_000) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: signImage(randomBytes(size), { ...keys, hwModel: 'batti-wall-4', version, secureVersion: 1 })
})
const choose = (page: Page, file: ReturnType<typeof image>) => page.locator('input[type=file]').setInputFiles(file)

it('an invalid file is refused with its reason; an image is a draft, released, withdrawn and deleted', async () => {
  await visit('device-firmware-files', 'Firmware files')
  await admin.getByText('No firmware files found').waitFor()
  await press('Upload')
  await admin.getByText('Please choose a file').waitFor()
  await choose(admin, image('notes.txt', '9.0.0'))
  await admin.getByText('notes.txt was refused: Only .bin files can be uploaded. Nothing of it was kept.').waitFor()
  await choose(admin, { ...image('changed-9.0.0.bin', '9.0.0'), buffer: spoilt('9.0.0') })
  await press('Upload')
  await admin.getByRole('alert').getByText('changed-9.0.0.bin was refused').waitFor()
  expect(await row(/changed-9\.0\.0\.bin/).count()).toBe(0)

  const name = 'wall-9.0.0.bin'
  await choose(admin, image(name, '9.0.0'))
  await admin.getByRole('checkbox', { name: 'Keep it as a draft' }).click()
  await Promise.all([timeAppeared(admin, 'Upload successful'), press('Upload')])
  await row(name).getByText('Draft').waitFor()
  await inMenuOf(name, 'Release')
  await row(name).getByText('Released').waitFor()
  await inMenuOf(name, 'Withdraw')
  await press('Withdraw', admin.getByRole('alertdialog'))
  await row(name).getByText('Withdrawn').waitFor()
  await inMenuOf(name, 'Delete')
  await press('Delete', admin.getByRole('alertdialog', { name: 'Delete wall-9.0.0.bin?' }))
  await admin.getByText('No firmware files found').waitFor()
})

/** A signed image with one bit changed afterwards. */
function spoilt(version: string): Buffer {
  const { buffer } = image('', version)
  buffer[0] = (buffer[0] ?? 0) ^ 1
  return buffer
}

it('an upload shows its progress, can be cancelled, and is repeated after a broken connection', async () => {
  const page = await admin.context().newPage()
  const line = await page.context().newCDPSession(page)
  const speed = (uploadThroughput: number) =>
    line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput
    })
  try {
    await page.goto(`${product.web}/admin/device-firmware-files`)
    await page.getByRole('heading', { level: 1, name: 'Firmware files' }).waitFor()
    await speed(100_000)
    await choose(page, image('wall-9.0.1.bin', '9.0.1', 4_000_000))
    await press('Upload', page)
    const bar = page.getByRole('progressbar', { name: 'wall-9.0.1.bin' })
    await bar.waitFor()
    await page.getByRole('button', { name: 'Uploading...' }).waitFor()
    await press('Cancel', page)
    await page.getByText('The upload of wall-9.0.1.bin was cancelled. Nothing of it was kept.').waitFor()

    await speed(-1)
    const calls = '**/api/v1/device-firmware-files'
    await page.route(calls, (call) => call.abort('connectionreset'))
    await press('Upload', page)
    await page.getByText('The upload of wall-9.0.1.bin broke off. Nothing of it was kept; try again.').waitFor()
    await page.unroute(calls)
    // The file is still selected. Its answer does not come.
    await line.send('Fetch.enable', { patterns: [{ urlPattern: calls.replace('**', '*'), requestStage: 'Response' }] })
    await press('Upload', page)
    await page.getByText('The server checks it').waitFor()
    await press('Cancel', page)
    await page.getByText('It may have been kept').waitFor()
    await line.send('Fetch.disable')
    await press('Upload', page)
    await page.getByRole('row', { name: 'wall-9.0.1.bin' }).waitFor()
  } finally {
    await speed(-1)
    await page.close()
  }
})

it('an update of one board is shown step by step, to staff and to its owner', async () => {
  const owner = await open(sita)
  await owner.goto(`${product.web}/user/devices`)
  await owner.getByText('Online', { exact: true }).waitFor()
  await visit('devices', 'Devices')
  await inMenuOf(new RegExp(first.mac), 'Update')
  const dialog = admin.getByRole('dialog', { name: 'Update firmware' })
  await dialog.getByText('wall-9.0.1.bin').click()
  // Its connection breaks half-way, and it asks for the rest only when both have seen that.
  first.setFaults({ update: 'broken-line' })
  clock.hold()
  try {
    await press('Update', dialog)
    await dialog.getByRole('list', { name: 'Progress of the update' }).waitFor()
    await owner.getByText(/^Updating to 9\.0\.1/).waitFor()
  } finally {
    clock.release()
    first.setFaults({ update: 'none' })
  }
  await dialog.getByText('The board runs 9.0.1.').waitFor()
  expect(await axeFaults(admin)).toEqual([])
  // The owner's lamp stays on.
  expect(first.state().outlets[0]?.on).toBe(true)
  await owner.context().close()
})

it(`a rollout to ${boards} boards pauses by itself when some fail, is resumed, retried, and ends`, async () => {
  const own = await logIn({ api: new URL(product.web), email: sita.email, password: sita.password })
  while (fleet.list().length < boards) await fleet.add({ model: 'BT4', setupPort: null })
  const rest = fleet.list().slice(1)
  await setUpAll(rest, own, { atOnce: 8, timeoutMs: 60_000, failed: () => undefined })
  await Promise.all(rest.map((board) => board.whenOnline(60_000)))
  const failing = rest.slice(0, 4)
  for (const board of failing) board.setFaults({ update: 'bad-image' })

  await visit('device-firmware-files', 'Firmware files')
  await choose(admin, image('wall-9.1.0.bin', '9.1.0'))
  await press('Upload')
  await row('wall-9.1.0.bin').waitFor()
  await inMenuOf('wall-9.1.0.bin', 'Roll out')
  await admin.getByRole('heading', { level: 1, name: 'New rollout' }).waitFor()
  await admin.getByText('Own stages').click()
  for (let left = 3; left > 0; left -= 1) await press('Remove stage 1')
  await fill(admin.getByRole('main'), { 'Boards under way at once': '25' })
  await press(`Start on ${boards} boards`)
  await admin.getByRole('heading', { level: 1, name: /9\.1\.0/ }).waitFor()

  const note = admin.getByRole('alert').getByText(/^Paused by itself at .* boards failed or rolled back/)
  await note.waitFor(forAll)
  expect(await axeFaults(admin)).toEqual([])
  // Without colours the groups of the bar still differ.
  await admin.emulateMedia({ forcedColors: 'active' })
  const swatches = admin.getByRole('list').filter({ hasText: 'Rolled back' }).locator('span[aria-hidden]')
  const fills = await swatches.evaluateAll((all) =>
    all.map((one) => getComputedStyle(one).backgroundImage + getComputedStyle(one).backgroundColor)
  )
  expect([fills.length, new Set(fills).size]).toEqual([6, 6])
  await admin.emulateMedia({ forcedColors: null })
  // It pauses at the second failure; updates in progress then finish.
  await admin
    .getByRole('listitem')
    .filter({ hasText: /^Under way\s*0$/ })
    .waitFor(forAll)
  const failed = failing.filter((board) => board.state().firmware?.phase === 'failed').length
  expect(failed).toBeGreaterThanOrEqual(2)
  for (const board of failing) board.setFaults({ update: 'none' })
  await press('Resume')
  await note.waitFor({ state: 'detached' })
  await admin.getByText(new RegExp(`^${boards - failed} of ${boards} done, `)).waitFor(forAll)
  await press(`Retry ${failed}`)
  await admin.getByText(/^50 of 50 done, 100/).waitFor(forAll)
  await admin.getByRole('main').getByText('Done', { exact: true }).first().waitFor()
  await admin.getByRole('button', { name: 'Pause' }).waitFor({ state: 'detached' })
  expect(await axeFaults(admin)).toEqual([])
  expect(fleet.list().map((board) => board.state().osVersion)).toEqual(fleet.list().map(() => '9.1.0'))

  await admin.getByRole('region', { name: 'Boards' }).getByRole('row').nth(1).getByRole('link').click()
  await admin.waitForURL(/\/admin\/devices\/[0-9a-f]{24}$/)
  await admin.getByText('9.1.0').first().waitFor()
  expect(await admin.getByRole('link', { name: 'Call owner' }).getAttribute('href')).toMatch(/^tel:\+?\d+$/)
  await admin.waitForLoadState('networkidle')
  expect(await axeFaults(admin)).toEqual([])
})

it('a rollout that observes its first board is paused and cancelled by the admin', async () => {
  const name = 'wall-for-the-old-houses-of-the-valley 9.2.0'
  const file = `${name.replace(' ', '-')}.bin`
  await visit('device-firmware-files', 'Firmware files')
  await choose(admin, image(file, '9.2.0'))
  await press('Upload')
  await inMenuOf(file, 'Roll out')
  await press(`Start on ${boards} boards`)
  // The answer is lost on its way back.
  let isLost = false
  const calls = '**/api/v1/rollouts/*'
  await admin.route(calls, async (call) => {
    if (isLost || call.request().method() !== 'PATCH') return call.continue()
    isLost = true
    await call.fetch()
    await call.abort('connectionreset')
  })
  const isAnswered = admin.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok())
  await press('Pause')
  await isAnswered
  await admin
    .getByRole('alert')
    .getByText(/^Paused at /)
    .waitFor()
  expect(await admin.getByText('The rollout could not be changed').count()).toBe(0)
  await admin.unroute(calls)
  await admin.setViewportSize({ width: 320, height: 900 })
  await visit('dashboard', 'Admin Dashboard')
  await admin.getByRole('link', { name }).waitFor()
  expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await admin.setViewportSize({ width: 1440, height: 900 })
  await admin.getByRole('link', { name }).click()
  await press('Resume')
  await press('Cancel rollout')
  await press('Cancel rollout', admin.getByRole('alertdialog', { name: 'Cancel this rollout?' }))
  await admin.getByRole('main').getByText('Cancelled', { exact: true }).first().waitFor()
  expect(await admin.getByRole('button', { name: 'Pause' }).count()).toBe(0)
})

it('an address is blocked for an hour: its users are disconnected at once, and return when it is unblocked', async () => {
  const ip = '203.0.113.20'
  const refused = await fetch(`${product.web}/api/v1/user/account`, { headers: { 'x-forwarded-for': ip } })
  expect(refused.status).toBe(401)
  const owner = await open(sita, ip)
  // Later requests of the page are refused too, and must not break it.
  await owner.route('**/assets/toaster-*', (asset) => asset.abort())
  await owner.goto(`${product.web}/user/rooms`)
  await owner.getByRole('heading', { level: 1 }).waitFor()
  const statusThere = () => owner.evaluate(async () => (await fetch('/api/v1/user/account')).status)
  expect(await statusThere()).toBe(401)

  await visit('unauthorized-logs', 'Unauthorized Logs')
  await inMenuOf(new RegExp(ip), 'Block')
  const dialog = admin.getByRole('dialog', { name: `Block ${ip}?` })
  await dialog.getByText('1 of your users came from this address this month.').waitFor()
  await dialog.getByText(`${boards} boards would be cut off too, at once.`).waitFor()
  await dialog.getByText(sita.name).waitFor()
  expect(await axeFaults(admin)).toEqual([])
  await Promise.all([timeAppeared(admin, 'IP blocked successfully'), press('Block for 1 hour', dialog)])
  expect(await statusThere()).toBe(403)
  // The open page's socket is closed, and its attempts to reconnect are refused.
  const lost = owner.getByText('No connection. What you see may have changed.')
  await lost.waitFor()
  const placeOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect)
  const [bar, heading] = await Promise.all([placeOf(lost), placeOf(owner.getByRole('heading', { level: 1 }))])
  expect(heading.top).toBeGreaterThanOrEqual(bar.bottom)
  // Its refused attempts have rows of their own.
  const there = new RegExp(`${ip}.* /api/v1/user/account`)
  await row(there)
    .getByText(/^blocked until /)
    .waitFor()

  await Promise.all([timeAppeared(admin, 'IP unblocked successfully'), inMenuOf(there, 'Unblock')])
  expect(await statusThere()).toBe(401)
  await press('Reconnect', owner)
  await lost.waitFor({ state: 'detached' })
  await owner.context().close()
})
