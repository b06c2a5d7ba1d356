import { createClient } from '@batti/client/client'
import { listSchedules, toggleSchedule } from '@batti/contracts'
import { accountOf } from '@batti/launcher/testing/start-product'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tap, timeAppeared, timeShown, whenSwitched } from '../pages.ts'
import { logIn } from '../people.ts'
import { openHome, type Home } from './a-home.ts'

let home: Home

beforeAll(async () => {
  home = await openHome()
  await pauseSchedules()
})
afterAll(async () => home?.close())

/** Otherwise one may be due while lamps are counted. */
async function pauseSchedules() {
  const { email, password } = accountOf(home.product, 'user')
  const { token } = await logIn(home.product, email, password)
  const client = createClient({ base: home.product.web, token })
  const { schedules } = await client.call(listSchedules)
  const paused = { isActive: false }
  for (const { _id } of schedules) await client.call(toggleSchedule, { params: { id: _id }, body: paused })
}

const card = (name: string) => home.page.getByRole('switch', { name: new RegExp(`^${name} of `) })

describe('home', () => {
  it('opens after the login, greets the user, and links to profile and schedules', async () => {
    const { page } = home
    await page.waitForURL('**/user/home')
    const greeting = page.getByRole('heading', { level: 1 }).getByRole('link', { name: 'Hi! Sita Sharma' })
    expect(await greeting.getAttribute('href')).toBe('/user/profile')
    await page.getByText('Welcome to our smart switch').waitFor()
    expect(await page.getByRole('link', { name: 'Schedules', exact: true }).first().getAttribute('href')).toBe(
      '/user/schedules'
    )
  })

  it('toggles a favourite, counts it in the banner and in its room, and reports it for five seconds', async () => {
    const { page, wall } = home
    const banner = page.getByRole('link', { name: /switches are ON/ })
    await banner.waitFor()
    const lit = async () => Number(/^(\d+)/.exec((await banner.innerText()).trim())?.[1])
    const before = await lit()
    const shown = timeShown(page, 'Reading lamp turned ON')
    await tap(card('Reading lamp'), true)
    await expect.poll(lit).toBe(before + 1)
    expect((await wall.find(await home.macOf('Living room wall'))).switch[1]).toBe(true)
    expect(await shown).toBeGreaterThan(4000)
  })

  it('sets a fan with its arc, with the keys of a slider', async () => {
    const { page, wall } = home
    const speed = page.getByRole('slider', { name: 'Speed of Ceiling fan' })
    await speed.press('End')
    await wall.when(await home.macOf('Bedroom wall'), 'at full speed', ({ speed: speeds }) => speeds[2] === 255)
    await page.getByText('Speed 255').waitFor()
  })

  it('drags the arc with the pointer, without toggling the fan', async () => {
    const { page, wall } = home
    const arc = page.getByRole('slider', { name: 'Speed of Ceiling fan' })
    // Away from the bottom bar of a phone.
    await arc.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    const box = await arc.boundingBox()
    if (box === null) throw new Error('The arc is not drawn')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    // From the right end of the arc over the top to the left: a sixth of the way.
    await page.mouse.move(x + 30, y)
    await page.mouse.down()
    await page.mouse.move(x, y - 31, { steps: 5 })
    await page.mouse.move(x - 31, y, { steps: 5 })
    await page.mouse.up()
    const mac = await home.macOf('Bedroom wall')
    const board = await wall.when(mac, 'slower', ({ speed }) => Math.abs((speed[2] ?? 0) - 255 / 6) < 12)
    expect(board.switch[2]).toBe(true)
  })

  it('reports on the card that a board does not answer, and shows the earlier state again', async () => {
    const { page, wall } = home
    const mac = await home.macOf('Kitchen ceiling')
    await wall.faults(mac, { silent: true })
    await card('Kitchen lamp').click()
    await page.getByRole('list').getByText('⚠️ No response from device.', { exact: true }).waitFor()
    await whenSwitched(card('Kitchen lamp'), false)
    await wall.faults(mac, { silent: false })
  })

  it('shows a board without power as offline at once, with advice', async () => {
    const { page, wall } = home
    const mac = await home.macOf('Kitchen ceiling')
    await wall.power(mac, false)
    await page.getByText(/^Offline since/).waitFor()
    await page.getByRole('button', { name: /^Kitchen lamp of / }).click()
    const help = page.getByRole('dialog', { name: /is offline$/ })
    await help.getByText('Check that the board has power.').waitFor()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await wall.power(mac, true)
    await card('Kitchen lamp').waitFor()
  })

  it('has options on each card, with keys alone', async () => {
    const { page } = home
    await page.getByRole('button', { name: 'Options of Bedside lamp' }).focus()
    await page.keyboard.press('Enter')
    const options = page.getByRole('dialog', { name: 'Bedside lamp' })
    await options.getByLabel('Name').fill('   ')
    await options.getByRole('button', { name: 'Rename' }).click()
    await page.getByText("Name can't be empty").waitFor()
    await options.getByLabel('Name').fill('Night lamp')
    await Promise.all([timeAppeared(page, 'Switch renamed successfully!'), page.keyboard.press('Enter')])
    await card('Night lamp').waitFor()
  })

  it('removes a favourite and adds it again from all switches', async () => {
    const { page } = home
    await page.getByRole('button', { name: 'Favourite: Night lamp' }).click()
    await card('Night lamp').waitFor({ state: 'detached' })
    await home.visit('/user/switches')
    await page.getByRole('searchbox').fill('night')
    await expect.poll(() => page.getByRole('switch').count()).toBe(1)
    // The button shows what is wanted at once; a visit meanwhile would cancel the call.
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Favourite: Night lamp' }).click()
    await page.getByRole('button', { name: 'Favourite: Night lamp', pressed: true }).waitFor()
    await saved
    await home.visit('/user/favorite-switches')
    await card('Night lamp').waitFor()
  })
})

describe('dashboard', () => {
  it('counts, and each count links to its list', async () => {
    const { page } = home
    await home.visit('/user/dashboard')
    const tiles = page.getByRole('link').filter({ hasText: /^\d+(Total|Online|Favorite|Schedules)/ })
    await expect.poll(() => tiles.count()).toBe(6)
    const found = await tiles.evaluateAll((links) =>
      links.map((link) => [link.textContent, link.getAttribute('href')].join(' '))
    )
    expect(found).toEqual([
      '4Total Devices /user/devices',
      '4Online Devices /user/devices',
      '13Total Switches /user/switches',
      '5Favorite Switches /user/favorite-switches',
      '3Total Rooms /user/rooms',
      '3Schedules /user/schedules'
    ])
    await page.getByText('FAN · Bedroom').waitFor()
  })

  it('shows how long switches were on, as bars and as a table', async () => {
    const { page } = home
    await page.getByRole('button', { name: 'Show as table' }).click()
    const table = page.getByRole('table', { name: 'How long each switch was on, by day' })
    await table.getByRole('rowheader', { name: 'Ceiling fan' }).waitFor()
    expect(await table.getByRole('columnheader').count()).toBe(9)
  })

  it('follows presses at the wall without a refresh', async () => {
    const { page, wall } = home
    const on = page.getByRole('definition').first()
    const before = Number(await on.innerText())
    const mac = await home.macOf('Kitchen counter strip')
    const wasOn = (await wall.find(mac)).switch[0] === true
    await wall.press(mac, 0)
    await expect.poll(async () => Number(await on.innerText())).toBe(before + (wasOn ? -1 : 1))
  })
})
