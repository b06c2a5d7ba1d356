import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseFrom, tap, whenSwitched } from '../pages.ts'
import { openHome, type Home } from './a-home.ts'

let home: Home

beforeAll(async () => {
  home = await openHome({ width: 1440, height: 900 })
  await home.visit('/user/rooms')
  await home.page.getByRole('heading', { name: 'Room Stats' }).waitFor()
})
afterAll(async () => home?.close())

const room = (name: string) =>
  home.page.getByRole('article').filter({ has: home.page.getByRole('heading', { name, exact: true }) })

describe('rooms', () => {
  it('are added with a name', async () => {
    const { page } = home
    await page.getByRole('button', { name: 'Add Room' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add Room' })
    await dialog.getByLabel('Room name').fill('   ')
    await dialog.getByRole('button', { name: 'Add room', exact: true }).click()
    await dialog.getByText('Room name is required').waitFor()
    await dialog.getByLabel('Room name').fill('Balcony')
    await dialog.getByRole('button', { name: 'Add room', exact: true }).click()
    await room('Balcony').getByText('No devices').waitFor()
  })

  it('show their lamps in two columns on a phone, in one if names would be cut to a few letters', async () => {
    const { page } = home
    const columns = () =>
      room('Kitchen')
        .getByRole('list')
        .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(columns).toBe(2)
    await page.setViewportSize({ width: 320, height: 600 })
    await expect.poll(columns).toBe(1)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('are renamed', async () => {
    const { page } = home
    await page.getByRole('button', { name: 'Edit Balcony' }).click()
    await page.getByRole('dialog').getByLabel('Room name').fill('Roof balcony')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await room('Roof balcony').waitFor()
  })

  it('open their boards, live, with all on and a result per switch', async () => {
    const { page, wall } = home
    const strip = await home.macOf('Kitchen counter strip')
    const ceiling = await home.macOf('Kitchen ceiling')
    await wall.faults(ceiling, { silent: true })
    await page.getByRole('button', { name: 'Kitchen', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Kitchen' })
    await dialog.getByRole('button', { name: 'All ON' }).click()
    await dialog.getByText('4 of 5 followed').waitFor()
    const results = dialog.getByRole('region', { name: 'What became of each switch' })
    await results.getByRole('listitem').filter({ hasText: 'Kitchen lamp' }).getByText('no answer').waitFor()
    expect((await wall.find(strip)).switch).toEqual([true, true, true, true])

    await wall.faults(ceiling, { silent: false })
    await results.getByRole('button', { name: 'Retry the ones that failed' }).click()
    await dialog.getByText('All 5 switches went on').waitFor()
    expect((await wall.find(ceiling)).switch).toEqual([true])
    await whenSwitched(dialog.getByRole('switch', { name: /^Kitchen lamp of / }), true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await room('Kitchen').getByText('5 on').waitFor()
  })

  it('show their lamps: a tap switches one, All OFF all of them', async () => {
    const { wall } = home
    const strip = await home.macOf('Kitchen counter strip')
    const lamp = room('Kitchen').getByRole('switch', { name: /^Kitchen lamp of / })
    await tap(lamp, false)
    await room('Kitchen').getByText('4 on').waitFor()
    await room('Kitchen').getByRole('button', { name: 'All OFF: Kitchen' }).click()
    await room('Kitchen').getByText('All off', { exact: true }).waitFor()
    // The card shows what was requested before the board has done it.
    await wall.when(strip, 'all off', (board) => board.switch.every((isOn) => !isOn))
  })

  it('report when their devices cannot be loaded, and offer to try again', async () => {
    const { page, context } = home
    await context.route('**/devices/by-room/**', (route) => route.abort())
    await page.getByRole('button', { name: 'Bedroom', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Bedroom' })
    await dialog.getByText('Failed to load devices for this room').waitFor()
    await context.unroute('**/devices/by-room/**')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByRole('switch').first().waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('ask where their devices go before they are deleted', async () => {
    const { page } = home
    await page.getByRole('button', { name: 'Delete Kitchen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Kitchen?' })
    await dialog.getByText('2 devices stand in it. Where do they go?').waitFor()
    await chooseFrom(dialog.getByLabel('Its devices go to'), 'Roof balcony')
    await dialog.getByRole('button', { name: 'Delete room' }).click()
    await room('Kitchen').waitFor({ state: 'detached' })
    await room('Roof balcony').getByText('2 devices · 2 online').waitFor()
  })
})
