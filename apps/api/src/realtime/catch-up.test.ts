import { until } from '@batti/kit/testing'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { aLiveDevice, fourOutlets } from '../testing/live-device.ts'
import type { BattiServer } from '../platform/sockets.ts'
import { createCatchUp } from './catch-up.ts'
import { deviceRoom } from './device-events.ts'

type Deps = Parameters<typeof createCatchUp>[0]

function openCatchUp(changes: Partial<Deps> = {}) {
  const device = aLiveDevice()
  const gone = 'AA:BB:CC:00:00:99'
  const emitted: [room: string, event: string, content: unknown][] = []
  const settling: (() => void)[] = []
  const readAgain = vi.fn<Deps['readAgain']>(() => Promise.resolve([device]))
  const rooms = new Map([deviceRoom(device.mac), deviceRoom(gone), 'another room'].map((room) => [room, new Set()]))
  const screen = {
    rooms: { has: (room: string) => rooms.has(room) },
    emit: (event: string, content: unknown) => emitted.push(['screen', event, content]),
    leave: (room: string) => rooms.delete(room)
  }
  const ask = createCatchUp({
    io: {
      local: {
        to: (room: string) => ({ emit: (event: string, content: unknown) => emitted.push([room, event, content]) })
      },
      sockets: { adapter: { rooms }, sockets: new Map([['screen', screen]]) }
    } as unknown as BattiServer,
    log: pino({ level: 'silent' }),
    readAgain,
    describe: () => Promise.resolve(new Map()),
    checkSockets: () => Promise.resolve(),
    now: () => 0,
    settle: () => new Promise<void>((resolve) => void settling.push(resolve)),
    ...changes
  })
  const updates = () => emitted.filter(([, event]) => event === 'switch-update')
  return { ask, device, gone, rooms, emitted, updates, readAgain, settling }
}
const atOnce = { settle: () => Promise.resolve() }

test('after a reconnect, screens get what was missed once', async () => {
  const { ask, updates, settling } = openCatchUp()
  ask()
  ask()
  settling[0]?.()
  await until('both reads have begun', () => settling.length === 2)
  settling[1]?.()
  await until('the screen is told', () => updates().length > 0)
  await new Promise(setImmediate)
  expect([settling.length, updates().length]).toEqual([2, 1])
})

test('what is missed while boards are read is sent after that', async () => {
  const { ask, updates, readAgain, settling } = openCatchUp()
  readAgain.mockImplementationOnce(() => {
    ask()
    return Promise.resolve([])
  })
  ask()
  settling[0]?.()
  await until('both reads have begun', () => settling.length === 2)
  settling[1]?.()
  await until('it is read again', () => readAgain.mock.calls.length === 2)
  await until('the screen hears of the switch', () => updates().length > 0)
})

test('screens of a board get its whole state and description, those of one that is gone are told, and no others', async () => {
  const device = aLiveDevice({ isOnline: false, outlets: fourOutlets({ fanIndexes: [1] }) })
  const about = { deviceName: 'Kitchen' }
  const { ask, gone, emitted, readAgain } = openCatchUp({
    ...atOnce,
    describe: (live) => Promise.resolve(new Map(live.map(({ id }) => [id, about])))
  })
  readAgain.mockResolvedValue([device])
  ask()
  await until('screens are told', () => emitted.length >= 3)
  expect(readAgain).toHaveBeenCalledExactlyOnceWith([device.mac, gone])
  const states = { switch: [false, false, false, false], fanIndexes: [1] }
  const state = { deviceMac: device.mac, isOnline: false, update: expect.objectContaining(states) as object }
  expect(emitted).toEqual([
    ['screen', 'device-removed', { deviceMac: gone, reason: 'deleted' }],
    [deviceRoom(device.mac), 'switch-update', expect.objectContaining(state)],
    [deviceRoom(device.mac), 'update-from-device', { deviceMac: device.mac, update: about, at: 0 }]
  ])
})

test('screens of a board that is gone have left its room before sockets are checked, which would call it moved', async () => {
  const roomsAtCheck: string[] = []
  const { ask, device, rooms, updates } = openCatchUp({
    ...atOnce,
    checkSockets: async () => void roomsAtCheck.push(...rooms.keys())
  })
  ask()
  await until('the other board is shown', () => updates().length > 0)
  expect(roomsAtCheck).toEqual([deviceRoom(device.mac), 'another room'])
})

test('nobody gets a state before sockets are checked', async () => {
  const checked = Promise.withResolvers<void>()
  const checkSockets = vi.fn<Deps['checkSockets']>(() => checked.promise)
  const { ask, updates } = openCatchUp({ ...atOnce, checkSockets })
  ask()
  await until('sockets are being checked', () => checkSockets.mock.calls.length === 1)
  await new Promise(setImmediate)
  expect(updates()).toEqual([])
  checked.resolve()
  await until('the screen hears of the switch', () => updates().length === 1)
})

test('a read that fails does not prevent the next one', async () => {
  const { ask, updates, readAgain } = openCatchUp(atOnce)
  readAgain.mockRejectedValueOnce(new Error('the database is away'))
  ask()
  await until('it was read', () => readAgain.mock.calls.length === 1)
  await new Promise(setImmediate)
  expect(updates()).toEqual([])
  ask()
  await until('the screen hears of the switch', () => updates().length === 1)
})
