import type { DeviceRecord, SwitchRecord } from '@batti/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountOf } from '@batti/launcher/testing/start-product'
import { openSwitches, tap, toggleOf, whenSwitched } from '../pages.ts'
import { call, logIn, pairBoard, type Signed } from '../people.ts'
import { openHome, type Home } from './a-home.ts'

let home: Home
let owner: Signed
let mac = ''
let deviceId = ''
let lamp = ''

const get = async <Data>(path: string): Promise<Data> =>
  (await call<Data>(home.product, path, { method: 'GET', token: owner.token })).body.data

beforeAll(async () => {
  home = await openHome()
  const { email, password } = accountOf(home.product, 'user')
  owner = await logIn(home.product, email, password)
  ;({ mac, deviceId } = await pairBoard(home.product, home.wall, owner, { model: 'BTD', name: 'Bedside' }))
  lamp = (await get<SwitchRecord>(`/switches/by-device/${deviceId}/0`))._id
  await call(home.product, `/switches/by-id/${lamp}`, {
    method: 'PATCH',
    token: owner.token,
    body: { switchName: 'Bedside lamp', isFavorite: true }
  })
})
afterAll(async () => home?.close())

describe('a board with dimmers', () => {
  it('is shown with its type', async () => {
    expect(await get<DeviceRecord>(`/devices/${deviceId}`)).toMatchObject({
      deviceCode: 'BTD',
      hwModel: 'batti-dimmer',
      dimmerIndexes: [0, 1],
      fanIndexes: []
    })
    expect(await get<SwitchRecord>(`/switches/by-id/${lamp}`)).toMatchObject({ type: 'dimmer', status: false })
  })

  it('is dimmed with the slider in its switches', async () => {
    const { page, wall, product } = home
    const dialog = await openSwitches(page, product.web, 'Dimmer')
    await dialog.getByText('Online', { exact: true }).waitFor()
    expect(await dialog.getByText('(Dimmer)').count()).toBe(2)
    await tap(toggleOf(dialog, 2), true)
    const slider = dialog.getByRole('slider', { name: 'Brightness of Switch 2' })
    await slider.press('End')
    await wall.when(mac, 'at its brightest', ({ speed }) => speed[1] === 255)
    await dialog.getByText('100%', { exact: true }).waitFor()
  })

  it('is dimmed with the arc of its card on the home page, and follows its knob on the wall', async () => {
    const { page, wall } = home
    await home.visit('/user/home')
    const card = page.getByRole('switch', { name: /^Bedside lamp of / })
    await wall.press(mac, 0)
    await whenSwitched(card, true)
    // The other dimmer is at its brightest too, and among the lamps without a room.
    const favourites = page.getByRole('list', { name: 'Favourite Switches' })
    await favourites.getByText('On, 100%').waitFor()
    const arc = page.getByRole('slider', { name: 'Brightness of Bedside lamp' })
    // One key press is five of 255.
    for (let turn = 0; turn < 31; turn += 1) await arc.press('ArrowLeft')
    await wall.when(mac, 'dimmed', ({ speed }) => speed[0] === 100)
    await favourites.getByText('On, 39%').waitFor()
    await wall.turn(mac, 0, 102)
    await favourites.getByText('On, 40%').waitFor()
  })

  it('shows its level in the log, in both languages', async () => {
    const { page } = home
    await home.visit('/user/logs')
    await page.getByText('Bedside lamp set to 40 %').first().waitFor()
    const { logs } = await get<{ logs: { description: string }[] }>('/switch-action-logs?limit=20')
    expect(logs.map(({ description }) => description)).toContain('Bedside lamp set to 40 %')
    await page.evaluate(() => localStorage.setItem('language', 'ne'))
    await page.reload()
    await page.getByText('Bedside lamp को उज्यालो ४० % भयो').first().waitFor()
  })

  it('is scheduled like any switch, and its board gets the timetable', async () => {
    const { body } = await call(home.product, '/schedules', {
      token: owner.token,
      body: {
        deviceId,
        switchId: lamp,
        switchIndex: 0,
        startTime: '21:00',
        endTime: '06:00',
        startAction: 'on',
        endAction: 'off',
        repeatType: 'daily'
      }
    })
    expect(body.message).toBe('Schedule created successfully!')
    await home.wall.when(mac, 'with the timetable', ({ schedulesRev }) => schedulesRev !== null)
  })
})
