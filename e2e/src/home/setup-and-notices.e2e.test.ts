import { deviceAuthPath, setupConfigPath } from '@batti/contracts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openContext } from '../open-browser.ts'
import { logInOn, timeAppeared, timeShown } from '../pages.ts'
import { call, signUp } from '../people.ts'
import { openHome, type Home } from './a-home.ts'

let home: Home
/** Another user, in a browser of their own, who tries to set up a board. */
let stranger: Page

beforeAll(async () => {
  home = await openHome()
  const maya = await signUp(home.product, 'Maya Gurung', '9801234567')
  const context = await openContext(home.browser, { viewport: { width: 1280, height: 900 } })
  stranger = await context.newPage()
  await logInOn(stranger, home.product.web, maya)
})
afterAll(async () => home?.close())

/** The request of a board with this MAC to the server, with a code that users gave it. */
const askAsBoard = (userId: string, deviceMac: string, fields: object = {}) =>
  call(home.product, deviceAuthPath.replace('/api/v1', ''), {
    body: {
      userId,
      deviceMac,
      deviceCode: 'BT1',
      hwModel: 'batti-single',
      osVersion: '1.4.0',
      nonce: 'a nonce of this test',
      ...fields
    }
  })

describe('a home without any boards', () => {
  it.each([
    ['/user/devices', 'No devices found'],
    ['/user/schedules', 'No schedules found'],
    ['/user/logs', 'No logs available'],
    ['/user/dashboard', 'No favorite switches.']
  ])('says so at %s', async (path, words) => {
    await stranger.goto(`${home.product.web}${path}`)
    await stranger.getByText(words).waitFor()
  })
})

describe('Configure New Device', () => {
  let userId = ''

  it('requires name and password of the Wi-Fi before anything is sent', async () => {
    const made = stranger.waitForResponse((answer) => answer.url().endsWith('/device-claims'))
    await stranger.goto(`${home.product.web}/user/devices/new`)
    userId = ((await (await made).json()) as { data: { userId: string } }).data.userId
    await stranger.getByText('Waiting for you to send the form').waitFor()
    await stranger.getByRole('button', { name: 'Send to the board' }).click()
    await stranger.getByText('SSID and Password are required').first().waitFor()
    expect(stranger.context().pages()).toHaveLength(1)
  })

  it("says exactly why another user's board is not assigned, and its owner is told for five seconds", async () => {
    const { page } = home
    await home.visit('/user/home')
    // The notice comes by the same socket as live updates; its place is set by the quick navigation.
    await page
      .getByRole('main')
      .getByText(/^(On|Off)$/)
      .first()
      .waitFor()
    await page.getByRole('navigation', { name: 'Quick navigation' }).waitFor()
    const shown = timeShown(page, 'Somebody tried to set up your board Kitchen ceiling again. It stays yours.')
    const refused = await askAsBoard(userId, await home.macOf('Kitchen ceiling'))
    expect(refused).toMatchObject({ status: 403, body: { code: 'DEVICE_REFUSED' } })

    const failure = stranger.getByRole('alert').filter({ hasText: 'Start again with a new code' })
    await failure.getByText('This board belongs to another account. Its owner must delete it there first.').waitFor()
    expect(await shown).toBeGreaterThan(4000)
  })

  it('starts again with a new code', async () => {
    const before = userId
    const made = stranger.waitForResponse((answer) => answer.url().endsWith('/device-claims'))
    await stranger.getByRole('button', { name: 'Start again with a new code' }).click()
    userId = ((await (await made).json()) as { data: { userId: string } }).data.userId
    expect(userId).not.toBe(before)
    await stranger.getByText('Waiting for you to send the form').waitFor()
  })

  it('names an unknown type, and continues when a known board comes with the same code', async () => {
    const unknown = await askAsBoard(userId, '34:98:7A:0C:51:E2', { deviceCode: 'XX9' })
    expect(unknown).toMatchObject({ status: 400, body: { code: 'DEVICE_TYPE_UNKNOWN' } })
    const failure = stranger.getByRole('alert').filter({ hasText: 'Start again with a new code' })
    await failure.getByText('Device type XX9 / batti-single is not known here. Ask your supplier to add it.').waitFor()
    expect(await askAsBoard(userId, '34:98:7A:0C:51:E2')).toMatchObject({ status: 201 })
    await stranger.getByText('Waiting for the board to come online…').waitFor()
    expect(await failure.count()).toBe(0)
  })
})

describe('the setup form', () => {
  it.each([
    '192.168.4.1',
    '10.0.0.7:8080',
    'board.local',
    'my.board.local:81',
    'nas',
    '[fe80::1]',
    '[fd12:3456::1]:8080'
  ])('opens the page of a board at %s', async (board) => {
    const context = stranger.context()
    const posted = Promise.withResolvers<string | null>()
    const target = `http://${board}${setupConfigPath}`
    await context.route(target, async (route) => {
      posted.resolve(route.request().postData())
      await route.fulfill({ contentType: 'text/html', body: '<h1>the board</h1>' })
    })
    await stranger.goto(`${home.product.web}/user/devices/new`)
    await stranger.getByLabel('Board’s address').fill(board)
    await stranger.getByRole('button', { name: 'Use it' }).click()
    await stranger.waitForURL((url) => url.searchParams.get('board') === board)
    await stranger.getByText('Waiting for you to send the form').waitFor()
    await stranger.getByLabel('Wi-Fi name (SSID)').fill('Home')
    await stranger.getByLabel('Wi-Fi password').fill('at home only')
    const opened = context.waitForEvent('page')
    await stranger.getByRole('button', { name: 'Send to the board' }).click()
    await (await opened).getByText('the board').waitFor()
    expect(await posted.promise).toContain('ssid=Home')
    await (await opened).close()
    await context.unroute(target)
  })

  it.each(['8.8.8.8', '[2001:db8::1]', 'example.com'])('is not sent to %s', async (board) => {
    const answer = await stranger.goto(`${home.product.web}/user/devices/new?board=${encodeURIComponent(board)}`)
    expect(answer?.headers()['content-security-policy']).toMatch(/form-action 'self' http:\/\/192\.168\.4\.1(;|$)/)
    await stranger.getByText('Waiting for you to send the form').waitFor()
    expect(await stranger.locator('form[method=post]').getAttribute('action')).toBe(
      `http://192.168.4.1${setupConfigPath}`
    )
  })
})

describe('a screen whose request fails', () => {
  it.each([
    ['/user/dashboard', '**/api/v1/dashboard', 'Failed to load dashboard.'],
    ['/user/devices', '**/api/v1/devices*', 'Failed to load devices'],
    ['/user/switches', '**/api/v1/switches*', 'Failed to fetch switches']
  ])('%s says what failed, and works at the next try', async (path, calls, words) => {
    const { page } = home
    await page.route(calls, (route) => route.abort())
    await home.visit(path)
    await page.getByText(words).first().waitFor()
    await page.unroute(calls)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(words).first().waitFor({ state: 'detached' })
    await page.locator('main h1').waitFor()
  })

  it('the dashboard’s numbers are loaded again by Refresh', async () => {
    const { page } = home
    await home.visit('/user/dashboard')
    await page.getByRole('button', { name: 'Show as table' }).waitFor()
    const asked = page.waitForRequest((request) => request.url().endsWith('/api/v1/dashboard'))
    await page.getByRole('button', { name: 'Refresh' }).click()
    await asked
  })
})

describe('the action log', () => {
  it('is limited to one switch, and the address keeps it', async () => {
    const { page } = home
    await home.visit('/user/logs')
    await page.getByRole('listitem').filter({ hasText: 'Ceiling lamp turned ON' }).first().waitFor()
    await page.getByRole('button', { name: 'Switch', exact: true }).click()
    // By key: Playwright scrolls to what it clicks, and the menu of all switches, as high as the phone, moves with it.
    await page.getByRole('menuitemradio', { name: 'Picture light' }).press('Enter')
    await page.getByRole('listitem').filter({ hasText: 'Ceiling lamp' }).first().waitFor({ state: 'detached' })
    await page.getByText('Picture light turned ON').first().waitFor()
    await page.reload()
    await page.getByText('Picture light turned ON').first().waitFor()
    expect(await page.getByText('Ceiling lamp turned ON').count()).toBe(0)
  })
})

describe('a board that is deleted', () => {
  it('is removed after a confirmation from devices, switches and its room', async () => {
    const { page } = home
    await home.visit('/user/devices')
    await page.getByRole('button', { name: 'Options of Kitchen ceiling' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete Kitchen ceiling?' })
    await Promise.all([timeAppeared(page, 'Device deleted'), question.getByRole('button', { name: /Delete/ }).click()])
    await page.getByRole('button', { name: 'Options of Kitchen ceiling' }).waitFor({ state: 'detached' })
    await home.visit('/user/switches')
    await page.getByRole('switch').nth(11).waitFor()
    expect(await page.getByRole('switch').count()).toBe(12)
  })
})

describe('in Nepali', () => {
  it.each([
    '/user/home',
    '/user/dashboard',
    '/user/devices',
    '/user/devices/new',
    '/user/rooms',
    '/user/switches',
    '/user/favorite-switches',
    '/user/schedules',
    '/user/logs'
  ])('%s has its title in Devanagari, and no untranslated sentence', async (path) => {
    const page = await home.context.newPage()
    const faults: string[] = []
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => {
      if (message.text().includes('MISSING_TRANSLATION')) faults.push(message.text())
    })
    await page.addInitScript(() => localStorage.setItem('language', 'ne'))
    await page.goto(`${home.product.web}${path}`)
    await page
      .locator('main h1')
      .filter({ hasText: /[\u0900-\u097f]/ })
      .waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('ne')
    expect(faults).toEqual([])
    await page.close()
  })
})
