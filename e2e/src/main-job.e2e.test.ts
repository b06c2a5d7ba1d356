import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, openContext } from './open-browser.ts'
import { logInOn, openSwitches, tap, timeAppeared, toggleOf, waitUntilCached, whenSwitched } from './pages.ts'
import { codeShape, newIn } from './accounts/outbox.ts'
import { startProduct, type Product } from '@batti/launcher/testing/start-product'
import { createWall, type Wall } from './wall.ts'

const person = { name: 'Maya Gurung', email: 'maya@example.com', password: 'three quiet lamps' }
const noAnswer = '⚠️ No response from device. Restoring state.'

let product: Product
let browser: Browser
let context: BrowserContext
let wall: Wall
let page: Page
let mac = ''

beforeAll(async () => {
  ;[product, browser] = await Promise.all([startProduct({ empty: true }), openBrowser()])
  wall = createWall(product.wall)
  context = await openContext(browser, { viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
})

afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const fan = 2

describe('the main job, in a browser', () => {
  it('signs up, reads the code from the outbox, verifies and logs in', async () => {
    await page.goto(`${product.web}/user/register`)
    await page.getByLabel('Full name').fill(person.name)
    await page.getByLabel('Phone', { exact: true }).fill('9801234567')
    await page.getByLabel('Email', { exact: true }).fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByLabel('Address').fill('Patan, Lalitpur')
    await page.getByRole('button', { name: 'Create Account' }).click()
    await page.waitForURL('**/user/verify-registration')

    await page.getByLabel('Code').fill(await newIn(product, person.email, { shape: codeShape }))
    await page.getByRole('button', { name: 'Verify OTP' }).click()
    await page.getByText('Email verified successfully!').waitFor()
    // Ten seconds later, automatically.
    await page.waitForURL('**/user/login')

    await logInOn(page, product.web, person)
    await page.goto(`${product.web}/user/devices`)
    await page.getByText('No devices found').waitFor()
  })

  it('pairs a new board through its own page, which opens in a new tab', async () => {
    const board = await wall.add('BTF', 'Bedroom')
    mac = board.mac
    const { setupUrl } = await wall.when(mac, 'in setup mode', ({ setupUrl: url }) => url !== null)
    await page.goto(`${product.web}/user/devices/new?board=${new URL(setupUrl ?? '').host}`)
    await page.getByLabel('Wi-Fi name (SSID)').fill('Gurung home')
    await page.getByLabel('Wi-Fi password', { exact: true }).fill('a house of lamps')
    const opened = context.waitForEvent('page')
    await page.getByRole('button', { name: 'Send to the board' }).click()
    const boardPage = await opened
    await boardPage.waitForLoadState()
    expect(boardPage.url()).toBe(new URL('/setupconfig', setupUrl ?? '').href)
    expect(await boardPage.content()).not.toContain('a house of lamps')
    await boardPage.close()
    await page.getByText('Your board is online').waitFor()
    await page.getByLabel('Name of the board').fill('Bedroom wall')
    await page.keyboard.press('Enter')
    const toDevices = page.getByRole('link', { name: 'Open My Devices' })
    await page.getByLabel('Name of the board').waitFor({ state: 'detached' })
    await page.keyboard.press('Tab')
    expect(await toDevices.evaluate((link) => link === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2 }).getByRole('button').waitFor()
  })

  describe('with the board open in two tabs', () => {
    let other: Page

    beforeAll(async () => {
      other = await context.newPage()
      await openSwitches(page, product.web, /./)
      await openSwitches(other, product.web, /./)
      for (const tab of [page, other]) await tab.getByRole('dialog').getByText('Online', { exact: true }).waitFor()
    })

    const toggle = (tab: Page, number: number) => toggleOf(tab.getByRole('dialog'), number)

    // How soon is for `npm run bench -- toggle`: here a busy machine would be measured.
    it('shows a tap in the other tab, which the server tells without being asked', async () => {
      const states = /\/api\/v1\/(?:devices|switches)\b/
      await other.route(states, (route) => route.abort())
      for (const isOn of [true, false, true]) {
        await tap(toggle(page, 1), isOn)
        await whenSwitched(toggle(other, 1), isOn)
      }
      await other.unroute(states)
      expect((await wall.find(mac)).switch[0]).toBe(true)
    })

    it('moves a fan', async () => {
      await tap(toggle(page, fan + 1), true)
      const slider = page.getByRole('dialog').getByRole('slider', { name: /^Speed of Switch 3/ })
      await slider.press('End')
      await wall.when(mac, 'at full speed', ({ speed }) => speed[fan] === 255)
      const elsewhere = other.getByRole('dialog').getByRole('slider', { name: /^Speed of Switch 3/ })
      await elsewhere.and(other.locator('[aria-valuenow="255"], [value="255"]')).waitFor()
    })

    it('follows the button on the wall in both tabs', async () => {
      await wall.press(mac, 1)
      await Promise.all([page, other].map((tab) => whenSwitched(toggle(tab, 2), true)))
      await page
        .getByRole('dialog')
        .getByText(/Switch 2 was turned on by the wall button/)
        .waitFor()
    })

    it('restores the earlier state when the board does not answer within 4 s, and says so', async () => {
      await wall.faults(mac, { silent: true })
      const said = timeAppeared(page, noAnswer)
      await toggle(page, 2).click()
      // Shown at once as requested, and locked.
      await toggle(page, 2).and(page.locator('[aria-checked="false"][aria-busy="true"]')).waitFor()
      await said
      await whenSwitched(toggle(page, 2), true)
      expect((await wall.find(mac)).switch[1]).toBe(true)
      await wall.faults(mac, { silent: false })
    })

    it('opens a new page while the server does not answer, and fills it when it does', async () => {
      const third = await context.newPage()
      // Only once the service worker has cached the page's own files; those of other pages come later.
      await waitUntilCached(page, '/assets/logs-')
      process.kill(product.pids.api, 'SIGSTOP')
      try {
        await third.goto(`${product.web}/user/devices`)
        await third.getByRole('heading', { name: 'My Devices' }).waitFor()
        expect(await third.getByText('Online', { exact: true }).count()).toBe(0)
      } finally {
        process.kill(product.pids.api, 'SIGCONT')
      }
      await third.getByText('Online', { exact: true }).first().waitFor()
      await third.close()
    })

    it('shows no stale state while the server is away, and the real one when it is back', async () => {
      // Awaited from before it happens: after five attempts the page offers to connect instead.
      const without = [page, other].flatMap((tab) => [
        tab.getByText('Reconnecting…').waitFor(),
        tab
          .getByRole('dialog')
          .filter({ has: tab.getByText('Unknown', { exact: true }), hasNot: tab.getByText('Online', { exact: true }) })
          .waitFor()
      ])
      // Held, it does not start the server again before all of this was seen.
      process.kill(product.launcher, 'SIGSTOP')
      try {
        process.kill(product.pids.api, 'SIGKILL')
        await Promise.all(without)
        await wall.press(mac, 0)
      } finally {
        process.kill(product.launcher, 'SIGCONT')
      }
      for (const tab of [page, other]) await whenBack(tab)
      await Promise.all([page, other].map((tab) => whenSwitched(toggle(tab, 1), false)))
    })

    it('goes offline with the power, and then a tap is not sent to the board: the answer says why', async () => {
      await wall.power(mac, false)
      for (const tab of [page, other])
        await tab
          .getByRole('dialog')
          .getByText(/^Offline/)
          .first()
          .waitFor()
      await Promise.all([timeAppeared(page, 'is offline. Check its power and Wi-Fi.'), toggle(page, 2).click()])
      // Its state is unknown, so it is not shown as on.
      await whenSwitched(toggle(page, 2), false)
    })

    it('is online again with the power, in the same state', async () => {
      await wall.power(mac, true)
      await page.getByRole('dialog').getByText('Online', { exact: true }).waitFor()
      await Promise.all([page, other].map((tab) => whenSwitched(toggle(tab, 2), true)))
    })
  })
})

/** Five attempts, a second apart, may be used up before a killed server is up again: then the page offers a button. */
async function whenBack(tab: Page): Promise<void> {
  const online = tab.getByRole('dialog').getByText('Online', { exact: true })
  const again = tab.getByRole('button', { name: 'Reconnect' })
  for (;;) {
    await online.or(again).first().waitFor()
    if (await online.isVisible()) return
    await again.click()
  }
}
