/// <reference lib="dom" />
import { afterAll, expect, it } from 'vitest'
import { openContext } from '../open-browser.ts'
import { timeAppeared, timeShown } from '../pages.ts'
import { call } from '../people.ts'
import { openAccount } from './an-account.ts'
import { codeShape, linkShape, newIn } from './outbox.ts'

const phone = '9801234590'

const account = await openAccount(phone)
const { product, browser, context, page, maya, menu, dialog, choose, press } = account
afterAll(account.close)

const row = (label: string) => page.locator('dl > div').filter({ hasText: label })

/** Opens the link of a mail in a browser without a session. Returns how long the text was shown. */
async function follow(link: string, text: string): Promise<number> {
  const stranger = await openContext(browser)
  const landing = await stranger.newPage()
  // Delayed a moment, so that the page can be read meanwhile.
  const shown = new Promise<number>((resolve, reject) => {
    void stranger.route('**/api/v1/users/verify-*', async (route) => {
      await landing.getByText('Verifying...').waitFor()
      timeShown(landing, text).then(resolve, reject)
      // The page runs this after it has begun to watch.
      await landing.evaluate(() => null)
      await route.continue()
    })
  })
  await landing.goto(product.web + link)
  await landing.waitForURL((url) => /^(\/user)?\/login$/.test(url.pathname))
  const shownMs = await shown
  await stranger.close()
  return shownMs
}

it('a new email is unverified, and is verified in two steps; then the modal closes and the page is updated', async () => {
  await page.goto(`${product.web}/user/profile`)
  await choose('Edit Profile')
  await dialog().getByLabel('Email', { exact: true }).fill('maya.gurung@example.com')
  await press('Save Changes')
  await dialog().waitFor({ state: 'detached' })
  await row('Email').getByText('Unverified').waitFor()

  await choose('Verify Email')
  await press('Send Code')
  await press('Verify')
  await dialog().getByText('Please enter the code.').waitFor()
  await dialog()
    .getByLabel('Code')
    .fill(await newIn(product, 'maya.gurung@example.com', { shape: codeShape }))
  await page.evaluate(() => document.body.setAttribute('data-before', ''))
  await Promise.all([timeAppeared(page, 'Email verified successfully!'), press('Verify')])
  await dialog().waitFor({ state: 'detached' })
  await row('Email').getByText('Verified', { exact: true }).waitFor()
  expect(await page.locator('body[data-before]').count()).toBe(0)
  expect(await menu().getByRole('button', { name: 'Verify Email' }).count()).toBe(0)
})

it('a refusal is shown where the code was requested, with a default text if it has no message', async () => {
  await page.goto(`${product.web}/user/profile`)
  await choose('Verify Phone')
  const answer = (message: string) =>
    JSON.stringify({ statusCode: 409, success: false, message, code: 'CONFLICT', requestId: 'r' })
  for (const [message, shown] of [
    ['That number is in use.', 'That number is in use.'],
    ['', 'Failed to send phone verification OTP']
  ] as const) {
    const path = '**/api/v1/user/request-phone-verification'
    await context.route(path, (route) =>
      route.fulfill({ status: 409, contentType: 'application/json', body: answer(message) })
    )
    await press('Send Code')
    await dialog().getByRole('alert').filter({ hasText: shown }).waitFor()
    await context.unroute(path)
  }
})

it('the link of a text message verifies the phone, says so, and leads to the login after three seconds', async () => {
  const asked = await call(product, '/user/request-phone-verification', { token: maya.token })
  expect(asked.status).toBe(200)
  const link = await newIn(product, `+977${phone}`, { shape: linkShape })
  expect(await follow(link, 'Phone verified successfully!')).toBeGreaterThan(2000)
  await page.goto(`${product.web}/user/profile`)
  await row('Phone').getByText('Verified', { exact: true }).waitFor()
})

it('the link of a mail verifies the email, once', async () => {
  const email = 'maya.again@example.com'
  const changed = await call(product, '/user/update-account', {
    method: 'PATCH',
    body: { email, password: maya.password },
    token: maya.token
  })
  expect(changed.status).toBe(200)
  await page.goto(`${product.web}/user/verify-email`)
  await page.getByRole('button', { name: 'Send Code' }).click()
  const link = await newIn(product, email, { shape: linkShape })
  expect(await follow(link, 'Email verified successfully!')).toBeGreaterThan(2000)
  await page.goto(`${product.web}/user/verify-email`)
  await page.getByText('This email is verified already.').waitFor()
  await page.goto(product.web + link)
  await page
    .getByRole('alert')
    .filter({ hasText: /invalid|expired/i })
    .waitFor()
})
