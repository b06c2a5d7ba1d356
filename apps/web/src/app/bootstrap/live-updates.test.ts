import { act, renderHook, waitFor } from '@testing-library/react'
import { toast, useToasterStore } from 'react-hot-toast'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { listKeyOf, queryKeys } from '#web/lib/query-keys.ts'
import { boardRecord, switchRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { followFeatureEvents } from './live-updates.ts'

let undo = () => {}
afterEach(() => undo())

const device = boardRecord()
const record = switchRecord()

async function follow() {
  const app = await createTestApp()
  undo = followFeatureEvents(app)
  const put = (key: readonly unknown[], value: unknown = {}) => app.queryClient.setQueryData(key, value)
  return {
    ...app,
    put,
    get: (key: readonly unknown[]) => app.queryClient.getQueryData(key),
    isStale: (key: readonly unknown[]) => app.queryClient.getQueryState(key)?.isInvalidated === true
  }
}
const change = (by: 'user' | 'schedule') => ({
  deviceMac: device.deviceMac,
  isOnline: true,
  update: { switch: [true], speed: [0], fanIndexes: [] },
  cause: { by, from: by === 'user' ? ('web' as const) : ('schedule' as const) },
  bootId: device.bootId,
  seq: 6,
  at: 1
})

test('a board’s new name and room are in every list at once', async () => {
  const { put, get, line } = await follow()
  const home = { favoriteSwitches: [record], rooms: [], totalSwitches: 1, totalOnSwitches: 0 }
  put(queryKeys.home, home)
  put([...queryKeys.switches, 'mine'], [record])
  put([...queryKeys.switches, 'by-id', 's1'], record)
  put(queryKeys.favoriteSwitches, [record])
  put(queryKeys.dashboard, { favoriteSwitchesDetails: [record], totalRooms: 2 })
  put(queryKeys.devices, { devices: [device], total: 1 })
  const setRoom = { _id: 'r1', roomName: 'Bedroom' }
  line.receive('update-from-device', { deviceMac: device.deviceMac, update: { setName: 'Bed wall', setRoom }, at: 1 })
  const changed = { ...record, deviceName: 'Bed wall', roomId: setRoom }
  expect(get(queryKeys.home)).toEqual({ ...home, favoriteSwitches: [changed] })
  expect(get([...queryKeys.switches, 'mine'])).toEqual([changed])
  expect(get([...queryKeys.switches, 'by-id', 's1'])).toEqual(changed)
  expect(get(queryKeys.favoriteSwitches)).toEqual([changed])
  expect(get(queryKeys.dashboard)).toEqual({ favoriteSwitchesDetails: [changed], totalRooms: 2 })
  expect(get(queryKeys.devices)).toMatchObject({ devices: [{ setName: 'Bed wall', setRoom }], total: 1 })
})

test('a list that is to be fetched again stays so when a board reports', async () => {
  const { put, get, isStale, line, queryClient } = await follow()
  const lists = [queryKeys.home, queryKeys.dashboard, queryKeys.devices, queryKeys.mySwitches, ['device', device._id]]
  put(queryKeys.home, { favoriteSwitches: [record], rooms: [], totalSwitches: 1, totalOnSwitches: 0 })
  put(queryKeys.dashboard, { favoriteSwitchesDetails: [record], totalRooms: 2 })
  put(queryKeys.devices, { devices: [device], total: 1 })
  put(queryKeys.mySwitches, [record])
  put(['device', device._id], device)
  await queryClient.invalidateQueries()
  const update = { setName: 'Bed wall', wifiRSSI: -71 }
  line.receive('update-from-device', { deviceMac: device.deviceMac, update, at: 1 })
  expect(get(queryKeys.mySwitches)).toMatchObject([{ deviceName: 'Bed wall' }])
  expect(get(queryKeys.devices)).toMatchObject({ devices: [{ wifiRSSI: -71 }] })
  expect(lists.filter((key) => !isStale(key))).toEqual([])
})

test('a report that changes nothing in a list leaves it the same object, so that nothing is drawn again', async () => {
  const { put, get, line } = await follow()
  put(queryKeys.home, { favoriteSwitches: [record], rooms: [], totalSwitches: 1, totalOnSwitches: 0 })
  put(queryKeys.devices, { devices: [device], total: 1 })
  const receive = () =>
    line.receive('update-from-device', { deviceMac: device.deviceMac, update: { wifiRSSI: -71 }, at: 1 })
  const home = get(queryKeys.home)
  receive()
  const devices = get(queryKeys.devices)
  receive()
  expect(get(queryKeys.home)).toBe(home)
  expect(get(queryKeys.devices)).toBe(devices)
})

test('the open record of a board shows its new signal and when it was last seen', async () => {
  const { put, get, line } = await follow()
  put(['device', device._id], device)
  put(['device', 'other'], { ...device, deviceMac: '34:98:7A:0C:51:E9' })
  const lastSeen = '2026-11-28T05:00:00.000Z'
  const update = { wifiRSSI: -71, lastSeen: Date.parse(lastSeen) }
  line.receive('update-from-device', { deviceMac: device.deviceMac, update, at: 1 })
  expect(get(['device', device._id])).toEqual({ ...device, wifiRSSI: -71, lastSeen })
  expect(get(['device', 'other'])).toMatchObject({ wifiRSSI: device.wifiRSSI })
})

test('every list with favourites is refetched when another phone has changed one', async () => {
  const { put, isStale, line, clock } = await follow()
  const lists = [queryKeys.home, queryKeys.favoriteSwitches, queryKeys.mySwitches, queryKeys.dashboard]
  lists.forEach((key) => put(key, null))
  line.receive('update-from-device', { deviceMac: device.deviceMac, update: { switchFavorites: { 0: true } }, at: 1 })
  clock.advance(1000)
  expect(lists.filter((key) => !isStale(key))).toEqual([])
})

test.each([
  ['a schedule has changed', { schedulesRev: 3 }, [queryKeys.schedules, queryKeys.dashboard]],
  [
    'a board was put into a room, maybe a new one',
    { setRoom: { _id: 'r9', roomName: 'Attic' } },
    [queryKeys.rooms, queryKeys.home, queryKeys.dashboard]
  ]
])('when %s on another phone, the lists that show it are refetched', async (_what, update, lists) => {
  const { put, isStale, line, clock } = await follow()
  lists.forEach((key) => put(key, null))
  line.receive('update-from-device', { deviceMac: device.deviceMac, update, at: 1 })
  clock.advance(1000)
  expect(lists.filter((key) => !isStale(key))).toEqual([])
})

test('the log is refetched a second after a change, once for many changes', async () => {
  const { put, isStale, line, clock } = await follow()
  put(queryKeys.actionLogs)
  put(queryKeys.onTimes)
  put(queryKeys.schedules)
  line.receive('switch-update', change('user'))
  expect(isStale(queryKeys.actionLogs)).toBe(false)
  clock.advance(1000)
  expect(isStale(queryKeys.actionLogs)).toBe(true)
  expect(isStale(queryKeys.onTimes)).toBe(true)
  expect(isStale(queryKeys.schedules)).toBe(false)
})

test('changes before a page follows a board are fetched with its snapshot', async () => {
  const { put, isStale, line, clock } = await follow()
  put(queryKeys.actionLogs)
  put(queryKeys.onTimes)
  line.emitSnapshot({ ...device, isOnline: true, at: 1 })
  clock.advance(1000)
  expect(isStale(queryKeys.actionLogs)).toBe(true)
  expect(isStale(queryKeys.onTimes)).toBe(true)
})

test('a schedule that ran is refetched', async () => {
  const { put, isStale, line, clock } = await follow()
  put(queryKeys.schedules)
  line.receive('switch-update', change('schedule'))
  clock.advance(1000)
  expect(isStale(queryKeys.schedules)).toBe(true)
})

test.each(['claimed', 'online'] as const)('a new board appears in every list (%s)', async (step) => {
  const { put, isStale, line, clock } = await follow()
  const keys = [queryKeys.devices, queryKeys.home, queryKeys.switches, queryKeys.rooms, queryKeys.dashboard]
  keys.forEach((key) => put(key))
  line.receive('claim-progress', { id: 'c', step })
  clock.advance(1000)
  expect(keys.map(isStale)).toEqual(keys.map(() => true))
})

test('lists of boards by room are refetched when a board moves to another room, and not when it gets a name', async () => {
  const { put, get, isStale, line, clock } = await follow()
  const byRoom = [...queryKeys.devices, 'by-room', 'r1']
  put(byRoom, { devices: [] })
  put(queryKeys.rooms)
  const update = (fields: Record<string, unknown>) => {
    line.receive('update-from-device', { deviceMac: device.deviceMac, update: fields, at: 1 })
    clock.advance(1000)
  }
  update({ setName: 'Bed wall' })
  expect([isStale(byRoom), isStale(queryKeys.rooms)]).toEqual([false, false])
  update({ setRoom: { _id: 'r1', roomName: 'Bedroom' } })
  expect([isStale(byRoom), isStale(queryKeys.rooms)]).toEqual([true, true])
  expect(get(byRoom)).toEqual({ devices: [] })
})

test('a board that is removed leaves every list at once, and everything that may have shown it is refetched', async () => {
  const { put, get, isStale, line, connection } = await follow()
  const other = { ...device, _id: 'other', deviceMac: '34987A0C51FF' }
  put(queryKeys.devices, { devices: [device, other] })
  put(queryKeys.home)
  const live = ['live-device', device.deviceMac]
  const liveOther = ['live-device', other.deviceMac]
  put(live)
  put(liveOther)
  const leave = vi.spyOn(connection, 'leave')
  line.receive('device-removed', { deviceMac: device.deviceMac, reason: 'deleted' })
  expect(leave.mock.calls).toEqual([[device.deviceMac]])
  expect(get(queryKeys.devices)).toEqual({ devices: [other] })
  expect([get(live), get(liveOther)]).toEqual([undefined, {}])
  expect([isStale(queryKeys.home), isStale(queryKeys.devices), isStale(liveOther)]).toEqual([true, true, false])
})

test('after a reconnection everything is refetched except the boards’ states, which come as snapshots', async () => {
  const { put, isStale, line } = await follow()
  put(queryKeys.rooms)
  put(['live-device', device.deviceMac])
  line.setStatus('connecting')
  line.setStatus('live')
  expect(isStale(queryKeys.rooms)).toBe(false)
  line.setStatus('reconnecting')
  line.setStatus('live')
  expect(isStale(queryKeys.rooms)).toBe(true)
  expect(isStale(['live-device', device.deviceMac])).toBe(false)
  put(queryKeys.rooms)
  line.setStatus('connecting')
  line.setStatus('live')
  expect(isStale(queryKeys.rooms)).toBe(false)
  line.setStatus('lost')
  expect(isStale(queryKeys.rooms)).toBe(false)
  line.setStatus('live')
  expect(isStale(queryKeys.rooms)).toBe(true)
})

test('a page older than the server’s release refetches what a rare event changes', async () => {
  const { put, isStale, line, clock } = await follow()
  vi.doMock('./apply-rare-events.ts', () => Promise.reject(new TypeError('Failed to fetch')))
  onTestFinished(() => vi.doUnmock('./apply-rare-events.ts'))
  const keys = [queryKeys.devices, queryKeys.fleet, queryKeys.dashboard, [...queryKeys.rollouts, 'one', 'r']]
  keys.forEach((key) => put(key))
  line.receive('firmware-progress', { id: 'u', deviceMac: device.deviceMac, phase: 'download', percent: 5 })
  line.receive('fleet-changed', { online: 1, offline: 0, silent: 0, flapping: 0, failing: 0 })
  const target = { deviceId: 'd', deviceMac: device.deviceMac, phase: 'download', percent: 5, error: null } as const
  line.receive('rollout-progress', { id: 'r', counts: {}, target: { ...target, changedAt: 1 } })
  await waitFor(() => {
    clock.advance(1000)
    expect(keys.map(isStale)).toEqual(keys.map(() => true))
  })
})

test('what a person has changed of a board on another screen appears in the open list', async () => {
  const { put, get, line } = await follow()
  put(queryKeys.devices, { devices: [device], total: 1, page: 1, limit: 100, totalPages: 1 })
  const update = { timezone: 'Asia/Dubai', wifiSSID: 'Himal-2G', serverUrl: 'api.example.com', serverPort: null }
  line.receive('update-from-device', { deviceMac: device.deviceMac, update, at: 1 })
  expect(get(queryKeys.devices)).toMatchObject({ devices: [update] })
})

test('a board’s report updates the staff page of boards, and no other query below its key', async () => {
  const { put, get, line } = await follow()
  const page = [...listKeyOf(queryKeys.devices), { page: 1 }]
  const picker = [...queryKeys.devices, 'pick', '']
  const other = { ...device, _id: 'other', deviceMac: '34987A0C51FF' }
  put(page, { rows: [device, other], total: 2, answer: {} })
  put(picker, [device])
  const update = { osVersion: '1.5.0', localIp: '192.168.1.9', activeColor: 'violet' }
  line.receive('update-from-device', { deviceMac: device.deviceMac, update, at: 1 })
  // What the event does not name, and every other board, is as before.
  expect(get(page)).toEqual({ rows: [{ ...device, ...update }, other], total: 2, answer: {} })
  expect(get(picker)).toEqual([device])
})

test('the staff page of boards knows since when a board is offline', async () => {
  const { put, get, line } = await follow()
  const page = [...listKeyOf(queryKeys.devices), { page: 1 }]
  const seconds = (count: number) => new Date(count * 1000).toISOString()
  put(page, { rows: [{ ...device, isOnline: true, onlineChangedAt: seconds(1) }] })
  const receive = (isOnline: boolean, at: number) =>
    line.receive('update-from-device', { deviceMac: device.deviceMac, update: { isOnline }, at: at * 1000 })
  receive(true, 2)
  expect(get(page)).toMatchObject({ rows: [{ onlineChangedAt: seconds(1) }] })
  receive(false, 3)
  expect(get(page)).toMatchObject({ rows: [{ isOnline: false, onlineChangedAt: seconds(3) }] })
})

test('"the board did not answer" is translated to Nepali', async () => {
  const app = await createTestApp({ language: 'ne' })
  undo = followFeatureEvents(app)
  const message = '⚠️ No response from device. Restoring state.'
  await waitFor(() => expect(app.words(message, 'DEVICE_NO_RESPONSE')).not.toBe(message))
  const { result } = renderHook(() => useToasterStore())
  app.line.receive('deviceStatus', { message, deviceMac: device.deviceMac, code: 'DEVICE_NO_RESPONSE' })
  await waitFor(() => expect(result.current.toasts).toHaveLength(1))
  expect(result.current.toasts[0]?.message).toMatch(/उपकरणबाट जवाफ आएन/)
  act(() => toast.remove())
})

test('a rollout is refetched when it changes as a whole or a board ends, not at each percent', async () => {
  const { put, isStale, line, clock } = await follow()
  const rollout = [...queryKeys.rollouts, 'one', 'r']
  const target = { deviceId: 'd', deviceMac: device.deviceMac, percent: 5, error: null, changedAt: 1 }
  const isRefetchedAfter = (event: object): boolean => {
    put(rollout, null)
    line.receive('rollout-progress', { id: 'r', counts: {}, ...event })
    clock.advance(1000)
    return isStale(rollout)
  }
  expect(isRefetchedAfter({ target: { ...target, phase: 'download' } })).toBe(false)
  expect(isRefetchedAfter({ target: { ...target, phase: 'failed' } })).toBe(true)
  await expect.poll(() => isRefetchedAfter({})).toBe(true)
})
