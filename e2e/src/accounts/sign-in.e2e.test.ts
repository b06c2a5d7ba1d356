/// <reference lib="dom" />
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest'
import { openBrowser, openContext } from '../open-browser.ts'
import { timeAppeared, timeShown } from '../pages.ts'
import { startProduct, type Product } from '@batti/launcher/testing/start-product'
import { codeShape, linkShape, messagesTo, newIn } from './outbox.ts'

const maya = { name: 'Maya Gurung', email: 'maya@example.com', phone: '9801234567', password: 'three quiet lamps' }

let product: Product
let browser: Browser
let context: BrowserContext
let page: Page
let faults: string[]

beforeAll(async () => {
  ;[product, browser] = await Promise.all([startProduct({ empty: true }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
beforeEach(async () => {
  context = await openContext(browser, { viewport: { width: 390, height: 844 } })
  page = await context.newPage()
  faults = []
  page.on('pageerror', (error) => faults.push(error.message))
})
afterEach(async () => {
  await context.close()
  if (faults.length > 0) throw new Error(`The page raised errors: ${faults.join('; ')}`)
})

const open = (path: string) => page.goto(product.web + path)
const stored = (key: string) => page.evaluate((name) => localStorage.getItem(name), key)
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
/** For a text that is shown for two seconds. */
const pressAndSee = (name: string, text: string) => Promise.all([timeAppeared(page, text), press(name)])

async function logIn(identifier: string, password: string) {
  await open('/user/login')
  await page.getByLabel('Email or phone').fill(identifier)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press('Login')
}
const atHome = () => page.waitForURL('**/user/home')

describe('sign-up', () => {
  it('takes a picture, keeps the registration token until the code is right, and leads to the login after ten seconds', async () => {
    await open('/user/register')
    await page.getByLabel('Full name').fill(maya.name)
    await page.getByLabel('Phone', { exact: true }).fill(maya.phone)
    await page.getByLabel('Email', { exact: true }).fill(maya.email)
    await page.getByLabel('Password', { exact: true }).fill(maya.password)
    await page.getByLabel('Address').fill('Patan, Lalitpur')
    const png = await page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 300 } })
    await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: png })
    await page.locator('form img').waitFor()
    await pressAndSee('Create Account', 'Signup successful! Check your email to verify.')
    await page.waitForURL('**/user/verify-registration')
    await page.getByRole('heading', { name: 'Enter Email OTP' }).waitFor()
    expect(await stored('registrationToken')).not.toBeNull()

    await page.getByLabel('Code').fill('000000')
    await press('Verify OTP')
    await page
      .getByRole('alert')
      .filter({ hasText: /invalid|expired/i })
      .waitFor()
    await page.getByLabel('Code').fill(await newIn(product, maya.email, { shape: codeShape }))
    const shown = timeShown(page, 'Email verified successfully!')
    await press('Verify OTP')
    await page.getByText('Email verified successfully!').waitFor()
    expect(await stored('registrationToken')).toBeNull()
    await page.waitForURL('**/user/login')
    expect(await shown).toBeGreaterThan(8000)
  })

  it('says that the registration token is missing', async () => {
    await open('/user/verify-registration')
    await page.getByLabel('Code').fill('123456')
    await press('Verify OTP')
    await page.getByText('Missing registration token. Please sign up again.').waitFor()
  })
})

describe('login', () => {
  it.each([
    ['', 'secret1', 'Email or Phone is Required !'],
    ['maya', 'secret1', 'Please enter a valid email or 10-digit phone number.'],
    [maya.email, '12345', 'Password must be at least 6 characters.']
  ])('answers “%s” with “%s” in the specified words, until the user types', async (identifier, password, text) => {
    await logIn(identifier, password)
    const alert = page.getByRole('alert').filter({ hasText: text })
    await alert.waitFor()
    await page.getByLabel('Password', { exact: true }).press('a')
    await alert.waitFor({ state: 'detached' })
  })

  it('by e-mail stores both tokens and the user, and leads home; logging out removes them', async () => {
    await logIn(maya.email, maya.password)
    await atHome()
    const keys = await Promise.all(['accessToken', 'refreshToken', 'userInfo'].map(stored))
    expect(keys).not.toContain(null)
    await page.getByRole('button', { name: /Account menu of/ }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.waitForURL('**/user/login')
    expect(await Promise.all(['accessToken', 'refreshToken', 'userInfo'].map(stored))).toEqual([null, null, null])
  })

  it('by phone shows the country codes and prefixes one to the number', async () => {
    await open('/login')
    await page.getByLabel('Email or phone').fill(maya.phone)
    expect(await page.getByLabel('Country code').textContent()).toContain('+977')
    await page.getByLabel('Password', { exact: true }).fill(maya.password)
    await press('Show password')
    expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text')
    const sent = page.waitForRequest('**/api/v1/user/login')
    await press('Login')
    expect((await sent).postDataJSON()).toEqual({ phone: `+977${maya.phone}`, password: maya.password })
    await atHome()
  })

  it('shows the server’s words for a wrong password', async () => {
    const answer = page.waitForResponse('**/api/v1/user/login')
    await logIn(maya.email, 'not my password')
    const { message } = (await (await answer).json()) as { message: string }
    await page.getByRole('alert').filter({ hasText: message }).waitFor()
  })

  it('leaves the focus in the field from which a refused password was sent', async () => {
    await logIn(maya.email, 'not my password')
    await page.getByRole('alert').waitFor()
    const field = page.getByLabel('Password', { exact: true })
    await field.fill('nor this one')
    await field.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  })
})

describe('a forgotten password', () => {
  it('is requested in the specified words', async () => {
    await open('/user/forgot-password')
    await press('Send OTP')
    await page.getByRole('alert').filter({ hasText: 'Please enter your email or phone.' }).waitFor()
    await page.getByLabel('Email or phone with country code').fill('12345')
    await press('Send OTP')
    await page
      .getByRole('alert')
      .filter({ hasText: 'Please enter a valid email or phone number with country code.' })
      .waitFor()
  })

  it.each([
    [null, 'No forgot password request found.'],
    ['{"type":"pigeon","value":"x"}', 'Invalid forgot password data.']
  ])('cannot be reset with %s as the stored request', async (request, text) => {
    await open('/user/login')
    if (request !== null) await page.evaluate((value) => localStorage.setItem('fp_user', value), request)
    await open('/user/reset-password')
    await page.getByText(text).waitFor()
    await page.waitForURL('**/user/forgot-password')
  })

  it('is reset by code; a wrong code returns to the first step, a right one leads to the login', async () => {
    const known = await messagesTo(product, maya.email)
    await open('/user/forgot-password')
    await page.getByLabel('Email or phone with country code').fill(maya.email)
    await pressAndSee('Send OTP', 'OTP sent to your registered email/phone.')
    await page.waitForURL('**/user/reset-password')
    expect(JSON.parse((await stored('fp_user')) ?? '')).toEqual({ type: 'email', value: maya.email })
    await press('Reset Password')
    await page.getByText('Please fill all fields.').waitFor()
    const code = await newIn(product, maya.email, { shape: codeShape, known })

    const fill = async (otp: string) => {
      await page.getByLabel('One-time code').fill(otp)
      await page.getByLabel('New password', { exact: true }).fill('four quiet lamps')
    }
    await fill(code === '111111' ? '222222' : '111111')
    await press('Reset Password')
    await page.waitForURL('**/user/forgot-password')
    await open('/user/reset-password')
    await fill(code)
    await pressAndSee('Reset Password', 'Password reset successfully. You can now login.')
    await page.waitForURL('**/user/login')
    expect(await stored('fp_user')).toBeNull()
    await logIn(maya.email, 'four quiet lamps')
    await atHome()
  })
})

describe('the landing page of verification links', () => {
  it('reports an invalid address', async () => {
    await open('/verify/email')
    await page.getByText('Invalid or missing token.').waitFor()
    await open('/verify/pigeon?token=abc')
    await page.getByText('Unsupported verification type.').waitFor()
    await open('/reset-password')
    await page.getByText('Invalid or missing token.').waitFor()
  })

  it('shows the server’s message for an unknown token', async () => {
    const answer = page.waitForResponse('**/users/verify-email?**')
    await open('/verify/email?token=nobody-gave-this')
    const { message } = (await (await answer).json()) as { message: string }
    await page.getByRole('alert').filter({ hasText: message }).waitFor()
  })

  it('leads to a new password by the link of a mail, which can be used once', async () => {
    // Two codes for one address must be a minute apart, so this one is for another account.
    const other = { email: 'bina@example.com', password: 'a lamp in the hall' }
    await fetch(`${product.web}/api/v1/user/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...other, name: 'Bina', phone: '9801234568', countryCode: '+977', address: 'Bhaktapur' })
    })
      .then((answer) => answer.json() as Promise<{ data: { registrationToken: string } }>)
      .then(async ({ data }) =>
        fetch(`${product.web}/api/v1/user/verify-registration`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...data, otp: await newIn(product, other.email, { shape: codeShape }) })
        })
      )
    await open('/user/forgot-password')
    await page.getByLabel('Email or phone with country code').fill(other.email)
    await press('Send OTP')
    const link = await newIn(product, other.email, { shape: linkShape })
    await open(link)
    await page.getByText('The link is valid.').waitFor()
    await page.waitForURL('**/reset-password?token=*')
    await page.getByLabel('New password', { exact: true }).fill('a lamp in the yard')
    await press('Reset Password')
    await page.waitForURL('**/user/login')
    await open(link)
    await page
      .getByRole('alert')
      .filter({ hasText: /invalid|expired/i })
      .waitFor()
    await logIn(other.email, 'a lamp in the yard')
    await atHome()
  })
})
