/// <reference lib="dom" />
import { afterAll, expect, it } from 'vitest'
import { logInOn, timeAppeared } from '../pages.ts'
import { call, logIn } from '../people.ts'
import { openAccount } from './an-account.ts'
import { codeShape, messagesTo, newIn } from './outbox.ts'

const phone = '9801234570'

const account = await openAccount(phone)
const { product, page, maya, menu, dialog, choose, press } = account
afterAll(account.close)

const openProfile = () => page.goto(`${product.web}/user/profile`)

it('shows the account, and only what still has to be verified', async () => {
  await openProfile()
  await page.getByText(maya.id).waitFor()
  expect(await menu().getByRole('button', { name: 'Verify Email' }).count()).toBe(0)
  expect(await menu().getByRole('button', { name: 'Verify Phone' }).count()).toBe(1)
})

it('changes the name and the picture, also in the header', async () => {
  await openProfile()
  await choose('Edit Profile')
  await dialog().getByLabel('Name', { exact: true }).fill('Maya Gurung')
  const png = await page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 200 } })
  await dialog().locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: png })
  await dialog().locator('img').waitFor()
  await press('Save Changes')
  await dialog().waitFor({ state: 'detached' })
  const picture = page.getByRole('img', { name: 'Picture of Maya Gurung' })
  await picture.waitFor()
  const isDrawn = await picture.evaluate(
    (image) => 'decode' in image && (image as unknown as { decode(): Promise<void> }).decode().then(() => true)
  )
  expect(isDrawn).toBe(true)
  expect(await picture.getAttribute('src')).toContain('/files/images/')
  await page.getByRole('button', { name: 'Account menu of Maya Gurung' }).waitFor()
})

it('verifies the phone in two steps: a wrong code returns to the first', async () => {
  await openProfile()
  await choose('Verify Phone')
  await press('Send Code')
  const number = `+977${phone}`
  const code = await newIn(product, number, { shape: codeShape })
  await dialog()
    .getByLabel('Code')
    .fill(code === '111111' ? '222222' : '111111')
  await press('Verify')
  await dialog()
    .getByRole('alert')
    .filter({ hasText: /invalid|expired/i })
    .waitFor()
  const known = await messagesTo(product, number)
  const asked = page.waitForResponse('**/request-phone-verification')
  await press('Send Code')
  // Within a minute the code that was sent is still valid; a slow machine gets another one.
  const isAnother = (await asked).ok()
  await dialog()
    .getByLabel('Code')
    .fill(isAnother ? await newIn(product, number, { shape: codeShape, known }) : code)
  await press('Verify')
  await dialog().waitFor({ state: 'detached' })
  await page.getByText(maya.id).waitFor()
  expect(await menu().getByRole('button', { name: 'Verify Phone' }).count()).toBe(0)
})

it('lists the sessions of the account, and logs one out', async () => {
  const elsewhere = await logIn(product, maya.email, maya.password)
  expect((await call(product, '/user/account', { method: 'GET', token: elsewhere.token })).status).toBe(200)
  await page.goto(`${product.web}/user/sessions`)
  await page.getByText('This device').waitFor()
  const others = page.getByRole('button', { name: /^Log out / })
  await others.first().waitFor()
  const count = await others.count()
  for (let left = count; left > 0; left -= 1) {
    await others.first().click()
    await page.waitForFunction(
      (rest) => document.querySelectorAll('main li button[aria-label^="Log out"]').length === rest,
      left - 1
    )
  }
  expect((await call(product, '/user/account', { method: 'GET', token: elsewhere.token })).status).toBe(401)
  await page.getByText('This device').waitFor()
})

it('contains every setting: theme, language, sessions and help', async () => {
  await openProfile()
  const settings = (name: string) => page.getByRole('region', { name })
  await settings('Logged-in places').getByText('This device').waitFor()
  const look = settings('Look and language')
  await look.getByText('Dark', { exact: true }).click()
  await page.locator('html[data-theme="dark"]').waitFor()
  await look.getByText('नेपाली', { exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'प्रोफाइल / सेटिङ' }).waitFor()
  await page.reload()
  await page.locator('html[data-theme="dark"][lang="ne"]').waitFor()
  await page.getByRole('main').getByText('English', { exact: true }).click()
  await look.getByText('Like the system', { exact: true }).click()
  await settings('Help').getByRole('link', { name: 'Wi-Fi issues' }).waitFor()
  expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
})

it('links to the API reference, where a call is found and tried as the logged-in user', async () => {
  await openProfile()
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor()
  await page.getByLabel('Find a call').fill('get user account')
  await page.getByText('/api/v1/user/account', { exact: true }).click()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Answered with 200').waitFor()
  await page.getByRole('status').getByText(maya.id).waitFor()
  // Its address opens it too: no other page of the server is there.
  await page.goto(`${product.web}/docs`)
  await page.getByText('/api/v1/user/login', { exact: true }).waitFor()
})

it('changes the password: a mismatch and a wrong old one are reported, success leads to the login', async () => {
  await openProfile()
  await choose('Change Password')
  const fill = async (old: string, next: string, again: string) => {
    await dialog().getByLabel('Old password').fill(old)
    await dialog().getByLabel('New password', { exact: true }).fill(next)
    await dialog().getByLabel('Confirm new password').fill(again)
    await press('Change Password')
  }
  await fill(maya.password, 'another long walk', 'another long talk')
  await dialog().getByText('New passwords do not match').waitFor()
  await fill('not the old one', 'another long walk', 'another long walk')
  await dialog().getByRole('alert').first().waitFor()
  await Promise.all([
    timeAppeared(page, 'Password changed. Please log in again.'),
    fill(maya.password, 'another long walk', 'another long walk')
  ])
  await page.waitForURL('**/user/login')
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
  await logInOn(page, product.web, { email: maya.email, password: 'another long walk' })
})

it('deletes the account: confirmation, password, success, then the public page', async () => {
  await openProfile()
  await choose('Delete Account')
  await press('Yes, continue')
  await dialog().getByLabel('Password', { exact: true }).fill('not my password')
  await press('Delete Account')
  await dialog().getByRole('alert').waitFor()
  await dialog().getByLabel('Password', { exact: true }).fill('another long walk')
  await Promise.all([timeAppeared(page, 'Your account is deleted.'), press('Delete Account')])
  await page.waitForURL(`${product.web}/`)
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
  const again = await call(product, '/user/login', { body: { email: maya.email, password: 'another long walk' } })
  expect(again.status).toBe(401)
})
