import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MonitorPermission } from '@batti/contracts'
import type { Actor } from '../../platform/people/actor.ts'
import { eveningSchedule } from '../../testing/evening-schedule.ts'
import { startApi, type AddedDevice, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
let sita: Actor
let ram: Actor
let device: AddedDevice

beforeAll(async () => {
  app = await startApi({ at: '2026-11-20T06:00:00Z' })
  sita = app.person()
  ram = app.person()
  const { data } = await app.call('POST', '/rooms', sita, { roomName: 'Kitchen' })
  device = await app.device(sita, { roomId: data._id })
  await app.device(sita, { outlets: 2, isOnline: false })
  const theirs = await app.device(ram)
  theirs.board.state = [true, true, true, true]
  theirs.board.report({})
  device.board.state = [true, false, true, false]
  device.board.report({})
  await app.call('PATCH', `/switches/by-id/${device.switchIds[0]}`, sita, { isFavorite: true, switchName: 'Hob light' })
  await app.call('PATCH', `/switches/by-id/${theirs.switchIds[0]}`, ram, { isFavorite: true })
  await app.call('POST', '/schedules', sita, eveningSchedule(device))
  await app.settled()
})
afterAll(() => app.stop())

test("home shows the user's own favourites, rooms and how many switches are on", async () => {
  const home = await app.call('GET', '/home', sita)
  expect(home.data).toMatchObject({ totalSwitches: 6, totalOnSwitches: 2 })
  expect(home.data.favoriteSwitches).toEqual([
    expect.objectContaining({
      switchName: 'Hob light',
      status: true,
      isOnline: true,
      roomId: expect.objectContaining({ roomName: 'Kitchen' })
    })
  ])
  expect(home.data.rooms).toEqual([expect.objectContaining({ roomName: 'Kitchen', deviceCount: 1, onCount: 2 })])
  expect(home['totalSwitches']).toBe(6)
})

test("the dashboard counts the user's own records", async () => {
  const { data } = await app.call('GET', '/dashboard', sita)
  expect(data).toEqual({
    totalDevices: 2,
    onlineDevices: 1,
    totalSwitches: 6,
    favoriteSwitches: 1,
    totalRooms: 1,
    totalSchedules: 1,
    switchState: { on: 2, off: 4 },
    favoriteSwitchesDetails: [expect.objectContaining({ switchName: 'Hob light' })]
  })
})

test('an empty home is all zeros', async () => {
  const nobody = app.person()
  expect((await app.call('GET', '/home', nobody)).data).toEqual({
    favoriteSwitches: [],
    rooms: [],
    totalSwitches: 0,
    totalOnSwitches: 0
  })
  expect((await app.call('GET', '/dashboard', nobody)).data.switchState).toEqual({ on: 0, off: 0 })
})

test('a deleted switch is no longer counted', async () => {
  const admin = app.person('admin')
  const owner = app.person()
  const board = await app.device(owner)
  await app.call('DELETE', `/switches/${board.switchIds[3]}`, admin)
  expect((await app.call('GET', '/home', owner)).data.totalSwitches).toBe(3)
  expect((await app.call('GET', '/switches', owner)).data.total).toBe(3)
})

describe('staff', () => {
  test('an admin sees the totals of the installation', async () => {
    const admin = app.person('admin')
    app.person('monitor')
    for (const path of ['/users', '/monitors']) await app.call('GET', path, sita)
    await app.unauthorizedLogs.flush()
    const { data } = await app.call('GET', '/dashboard', admin)
    expect(data).toMatchObject({
      totalMonitors: 1,
      unauthorizedLogs: 2,
      favoriteSwitches: 2,
      totalRooms: 1,
      totalSchedules: 1
    })
    // As many as the list of users has, where the number links to.
    expect(data.totalUsers).toBe((await app.call('GET', '/users', admin)).data.total)
    expect(data.totalDevices).toBe(await app.models.devices.countDocuments({}))
    expect(data.onlineDevices).toBe(await app.models.devices.countDocuments({ isOnline: true }))
    expect(data.totalSwitches).toBe(await app.models.switches.countDocuments({}))
    expect(data.switchActionHistory).toBe(await app.models.actionLogs.countDocuments({}))
    const home = (await app.call('GET', '/home', admin)).data
    expect(home.totalOnSwitches).toBe(6)
    expect(home.favoriteSwitches).toHaveLength(2)
  })

  test('an admin’s home counts the latest reports of boards, stored or not', async () => {
    const admin = app.person('admin')
    const countOn = async () => (await app.call('GET', '/home', admin)).data.totalOnSwitches
    const before = await countOn()
    device.board.state = [true, true, true, true]
    device.board.report({})
    expect(await countOn()).toBe(before + 2)
    device.board.state = [true, false, true, false]
    device.board.report({})
    expect(await countOn()).toBe(before)
  })
  test.each<[MonitorPermission, string[]]>([
    ['view users', ['totalUsers']],
    ['view switches', ['favoriteSwitches', 'totalSwitches']],
    ['view devices', ['onlineDevices', 'totalDeviceTypes', 'totalDevices', 'totalRooms']],
    ['view schedules', ['totalSchedules']],
    ['view logs', ['switchActionHistory']],
    ['control switches', []]
  ])('a monitor with %s sees only the counts that the permission covers', async (permission, totals) => {
    const monitor = app.person('monitor', [permission])
    const { data } = await app.call('GET', '/dashboard', monitor)
    expect(Object.keys(data).toSorted()).toEqual(totals)
    const home = (await app.call('GET', '/home', monitor)).data
    expect(home.rooms.length > 0).toBe(permission === 'view devices')
    expect(home.favoriteSwitches.length > 0).toBe(permission === 'view switches')
    expect(home.totalSwitches > 0).toBe(permission === 'view switches')
  })
})
