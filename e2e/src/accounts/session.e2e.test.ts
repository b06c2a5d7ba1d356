/// <reference lib="dom" />
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openBrowser, openContext } from '../open-browser.ts'
import { logInOn } from '../pages.ts'
import { call, signUp, type Signed } from '../people.ts'
import { startProduct, type Product } from '@batti/launcher/testing/start-product'

const keys = ['accessToken', 'refreshToken', 'userInfo'] as const

let product: Product
let browser: Browser
let context: BrowserContext
let page: Page
let maya: Signed

beforeAll(async () => {
  ;[product, browser] = await Promise.all([startProduct({ empty: true }), openBrowser()])
  maya = await signUp(product, 'Maya', '9801234581')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
beforeEach(async () => {
  context = await openContext(browser, { viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
})
afterEach(() => context.close())

const stored = () => page.evaluate((names) => names.map((name) => localStorage.getItem(name)), keys)
const put = (values: Partial<Record<(typeof keys)[number], string | null>>) =>
  page.evaluate((entries) => {
    for (const [name, value] of entries) {
      if (value === null) localStorage.removeItem(name)
      else if (value !== undefined) localStorage.setItem(name, value)
    }
  }, Object.entries(values))
const atLogin = () => page.waitForURL((url) => url.pathname === '/user/login' || url.pathname === '/login')
const menu = () => page.getByRole('button', { name: /Account menu of/ })
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** A token as the browser reads it: its signature is not checked. */
const tokenThatExpires = (at: number) =>
  `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: maya.id, role: 'user', exp: Math.floor(at / 1000) })}.c2lnbmVk`

describe('stored sessions', () => {
  it('a token alone suffices: the user comes from its claims', async () => {
    await logInOn(page, product.web, maya)
    await put({ userInfo: null })
    await page.goto(`${product.web}/user/profile`)
    await page.getByText(maya.id).waitFor()
  })

  it('an invalid access token is removed, and the user is logged out', async () => {
    await logInOn(page, product.web, maya)
    await put({ accessToken: 'no token at all' })
    await page.goto(`${product.web}/user/profile`)
    await atLogin()
    expect(await stored()).toEqual([null, null, null])
  })

  it('an expired token that cannot be renewed is removed before a call is sent, without an alert', async () => {
    await logInOn(page, product.web, maya)
    await context.clearCookies()
    await put({ accessToken: tokenThatExpires(Date.now() - 60_000), refreshToken: 'spent' })
    const calls: string[] = []
    page.on('request', (request) => calls.push(new URL(request.url()).pathname))
    await page.goto(`${product.web}/user/profile`)
    await atLogin()
    expect(await stored()).toEqual([null, null, null])
    expect(calls).not.toContain('/api/v1/user/account')
    expect(await page.locator('.toasts [role=alert]').count()).toBe(0)
  })

  it('an expired token is renewed silently', async () => {
    await logInOn(page, product.web, maya)
    await put({ accessToken: tokenThatExpires(Date.now() - 60_000) })
    await page.goto(`${product.web}/user/profile`)
    await page.getByText(maya.id).waitFor()
    expect((await stored())[0]).not.toBe(null)
  })
})

describe('sessions and the server', () => {
  /** Ends the page's session from another machine. */
  async function endHere() {
    const token = (await stored())[0] ?? ''
    const { body } = await call<{ sessions: { id: string; current: boolean }[] }>(product, '/user/sessions', {
      method: 'GET',
      token
    })
    const mine = body.data.sessions.find(({ current }) => current)
    const ended = await call(product, `/user/sessions/${mine?.id}`, { method: 'DELETE', token: maya.token })
    expect(ended.status).toBe(200)
  }

  it('a session that is ended elsewhere ends here too, without any action', async () => {
    await logInOn(page, product.web, maya)
    await page.getByRole('heading').first().waitFor()
    await endHere()
    await atLogin()
    expect(await stored()).toEqual([null, null, null])
  })

  it('input at the end of a session is kept for a login of the same account only', async () => {
    const typeARoom = async () => {
      await page.goto(`${product.web}/user/rooms`)
      await page.getByRole('button', { name: 'Add Room' }).first().click()
      await page.getByRole('dialog').getByLabel('Room name').fill('A room of my own')
      await endHere()
      await page.getByText('what you typed is kept').waitFor()
      expect(await stored()).toEqual([null, null, null])
      expect(await page.getByLabel('Room name').isVisible()).toBe(false)
    }
    const logInAs = async ({ email, password }: Signed) => {
      await page.getByLabel('Email or phone').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Login', exact: true }).click()
    }
    await logInOn(page, product.web, maya)
    await typeARoom()
    // The page below receives neither keys nor Back.
    await page.keyboard.press('Escape')
    await page.goBack()
    await logInAs(maya)
    expect(await page.getByLabel('Room name').inputValue()).toBe('A room of my own')
    await page.getByRole('dialog').getByRole('button', { name: 'Add room' }).click()
    await page.getByRole('heading', { name: 'A room of my own' }).waitFor()

    await typeARoom()
    await logInAs(await signUp(product, 'Nima', '9801234582'))
    await page.getByRole('button', { name: 'Account menu of Nima' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByText('A room of my own').count()).toBe(0)
  })

  it('a 401 clears everything and leads to the login', async () => {
    await logInOn(page, product.web, maya)
    const refused = {
      status: 401,
      contentType: 'application/json',
      body: JSON.stringify({ statusCode: 401, success: false, message: 'No.', code: 'UNAUTHENTICATED', requestId: 'r' })
    }
    await context.route('**/api/v1/user/account', (route) => route.fulfill(refused))
    await context.route('**/api/v1/user/refresh-token', (route) => route.fulfill(refused))
    await page.goto(`${product.web}/user/profile`)
    await atLogin()
    expect(await stored()).toEqual([null, null, null])
  })

  it('a 403 is reported in the specified words, and nobody is logged out', async () => {
    await logInOn(page, product.web, maya)
    await context.route('**/api/v1/user/account', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/json',
        body: JSON.stringify({ statusCode: 403, success: false, message: 'No.', code: 'FORBIDDEN', requestId: 'r' })
      })
    )
    await page.goto(`${product.web}/user/profile`)
    await page.getByText('You do not have permission to perform this action.').waitFor()
    // A profile that does not load leaves the session as it is.
    await page.getByText('Loading profile...').waitFor()
    expect(await stored()).not.toContain(null)
  })

  it('a logout that fails is reported, and clears nothing', async () => {
    await logInOn(page, product.web, maya)
    await context.route('**/api/v1/user/logout', (route) => route.abort())
    await menu().click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.locator('.toasts [role=alert]').first().waitFor()
    expect(await stored()).not.toContain(null)
    expect(new URL(page.url()).pathname).toBe('/user/home')
  })
})

describe('the page frame', () => {
  it('pages of another role lead to the login, which tells a signed-in user why and links to their home', async () => {
    await page.goto(`${product.web}/admin/dashboard`)
    await atLogin()
    await logInOn(page, product.web, maya)
    for (const path of ['/admin/dashboard', '/admin/home', '/admin/profile', '/admin/users', '/monitor/dashboard']) {
      await page.goto(product.web + path)
      await page.getByText('The page you asked for is for other accounts.').waitFor()
      expect(new URL(page.url()).pathname).toBe('/login')
    }
    await page.getByRole('link', { name: 'To your own home' }).click()
    await page.waitForURL('**/user/home')
  })

  it('the dropdown offers Profile / Settings, Change Password and Logout, and closes on a click outside', async () => {
    await logInOn(page, product.web, maya)
    await menu().click()
    for (const name of ['Profile / Settings', 'Change Password', 'Logout'])
      await page.getByRole('menuitem', { name, exact: true }).waitFor()
    await page.mouse.click(200, 600)
    await page.getByRole('menuitem', { name: 'Logout' }).waitFor({ state: 'detached' })
    await menu().click()
    await page.getByRole('menuitem', { name: 'Change Password' }).click()
    await page.getByRole('dialog').getByLabel('Old password').waitFor()
  })

  it('the quick navigation is moved with the pointer and with keys, stays inside the window, and is restored to its place', async () => {
    await logInOn(page, product.web, maya)
    const nav = page.getByRole('navigation', { name: 'Quick navigation' })
    const grip = nav.getByRole('button')
    await nav.waitFor()
    const box = async () => (await nav.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const before = await box()
    // At the bottom of the side bar until it is moved, where it covers nothing.
    expect(before.x + before.width).toBeLessThanOrEqual(224)
    await grip.hover()
    await page.mouse.down()
    await page.mouse.move(700, 300, { steps: 8 })
    await page.mouse.up()
    const dragged = await box()
    expect(dragged.y).toBeLessThan(before.y - 200)

    await grip.focus()
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowDown')
    const moved = await box()
    expect(Math.round(moved.y - dragged.y)).toBe(72)
    for (let press = 0; press < 60; press += 1) await page.keyboard.press('ArrowRight')
    const edge = await box()
    expect(edge.x + edge.width).toBeLessThanOrEqual(1280)
    await page.reload()
    await nav.waitFor()
    const after = await box()
    expect(Math.abs(after.x - edge.x) + Math.abs(after.y - edge.y)).toBeLessThan(4)
  })
})
