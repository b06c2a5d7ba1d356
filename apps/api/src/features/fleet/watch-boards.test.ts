import { createFakeClock } from '@batti/kit/testing'
import { Types } from 'mongoose'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { singleInstance } from '../../platform/cluster/cluster.ts'
import { createEventBus } from '../../platform/events.ts'
import { createFleetBook } from './fleet-book.ts'
import { noteSignal } from './judge-board.ts'
import { createBoardWatch } from './watch-boards.ts'

type Deps = Parameters<typeof createBoardWatch>[0]

/** A collection whose queries find these rows. */
function holding(rows: object[]) {
  const found = Object.assign(Promise.resolve(rows), { sort: () => found, limit: () => found, lean: () => found })
  return { find: () => found }
}

/** Watches the boards that `devices` finds, beside the signals stored before. */
function setUp(devices: object, { now, signals = [] }: { now: number; signals?: object[] }) {
  const clock = createFakeClock(now)
  const events = createEventBus(pino({ enabled: false }))
  const book = createFleetBook({ silentMs: 86_400_000, isOutdated: () => false })
  const ignored = () => undefined
  const watch = createBoardWatch({
    models: {
      devices,
      events: holding([]),
      signals: holding(signals),
      commandRecords: holding([])
    } as unknown as Deps['models'],
    book,
    records: {
      happened: ignored,
      judged: ignored,
      commandsOf: ignored,
      forget: ignored,
      signalOf: ignored
    } as unknown as Deps['records'],
    hours: {} as Deps['hours'],
    cluster: singleInstance('one'),
    events,
    clock
  })
  return { clock, events, book, watch }
}

test('a board that changes hands keeps what it has sent since it was read from the database', async () => {
  const now = 1_700_000_000_000
  const device = {
    _id: new Types.ObjectId(),
    isOnline: true,
    onlineChangedAt: new Date(now),
    lastSeen: new Date(now),
    hwModel: 'batti-wall-4',
    osVersion: '1.4.0',
    bootId: 'boot-1',
    healthReasons: []
  }
  const reads: (() => void)[] = []
  const find = () => ({ lean: () => new Promise((resolve) => reads.push(() => resolve([device]))) })
  const { clock, events, book } = setUp({ find }, { now })
  const deviceId = String(device._id)
  const read = async (): Promise<void> => {
    await expect.poll(() => reads.length).toBe(1)
    reads.pop()?.()
    await new Promise((resolve) => void setImmediate(resolve))
  }
  events.emit('device-added', { deviceId })
  await read()
  expect(book.get(deviceId)?.isOnline).toBe(true)
  // It changes hands: the stored state is older than later messages.
  events.emit('device-claimed', { deviceId, deviceMac: 'AABBCCDDEEFF', userId: 'u1' })
  clock.advance(1000)
  events.emit('device-changed', { deviceId, deviceMac: 'AABBCCDDEEFF', update: { isOnline: false }, at: clock.now() })
  await read()
  expect(book.get(deviceId)).toMatchObject({ isOnline: false, onlineChangedAt: clock.now() })
  expect(book.figures()).toMatchObject({ online: 0, offline: 1 })
})

test('a board counts what is heard of it in order, however late the reads are that it waits for', async () => {
  const now = 1_700_000_000_000
  const _id = new Types.ObjectId()
  const board = { _id, isOnline: false, lastSeen: new Date(now), hwModel: 'batti-wall-4', osVersion: '1.4.0' }
  const reads: PromiseWithResolvers<object[]>[] = []
  const find = () => {
    const read = Promise.withResolvers<object[]>()
    reads.push(read)
    return { lean: () => read.promise, sort: () => ({ limit: () => ({ lean: async () => [board] }) }) }
  }
  const { clock, events, book, watch } = setUp({ find }, { now })
  const about = { deviceId: String(_id), deviceMac: 'AABBCCDDEEFF' }
  events.emit('device-online', { ...about, userId: null })
  await expect.poll(() => reads.length).toBe(1)
  // All boards are read while this one's own read is on its way, and it goes offline.
  await watch.loadAll()
  clock.advance(1000)
  events.emit('device-changed', { ...about, update: { isOnline: false }, at: clock.now() })
  for (const read of reads) read.resolve([board])
  await events.settled()
  expect(book.get(about.deviceId)).toMatchObject({ isOnline: false, onlineChangedAt: clock.now() })
})

test('a board that could not be read when it was added or deleted is added, or removed, at the next check', async () => {
  const now = 1_700_000_000_000
  const _id = new Types.ObjectId()
  const board = { _id, isOnline: true, lastSeen: new Date(now), hwModel: 'batti-wall-4', osVersion: '1.4.0' }
  const answers: (() => object[])[] = []
  const away = (): never => {
    throw new Error('The database did not answer')
  }
  const find = () => ({ lean: async () => answers.shift()?.() })
  const { events, book, watch } = setUp({ find }, { now })
  const deviceId = String(_id)
  answers.push(away, () => [board])
  events.emit('device-added', { deviceId })
  await expect.poll(() => answers.length).toBe(1)
  await watch.loadUnread()
  expect(book.figures()).toMatchObject({ boards: 1 })
  answers.push(away, () => [])
  events.emit('device-released', { deviceId, deviceMac: 'AABBCCDDEEFF', userId: null, reason: 'deleted' })
  await expect.poll(() => answers.length).toBe(1)
  await watch.loadUnread()
  expect(book.figures()).toMatchObject({ boards: 0, versions: [] })
  expect(answers).toEqual([])
  await watch.loadUnread()
})

test('a restart weights the signal of the previous hour by its minutes, not by its rows', async () => {
  const now = Date.parse('2026-11-20T06:59:30Z')
  const _id = new Types.ObjectId()
  const board = { _id, isOnline: true, lastSeen: new Date(now), hwModel: 'batti-wall-4', osVersion: '1.4.0' }
  const hour = { deviceId: _id, at: new Date('2026-11-20T06:00:00Z'), slots: { 0: -90, 1: -90, 2: -90, 3: -90 } }
  const { clock, book, watch } = setUp(holding([board]), { now, signals: [hour] })
  await watch.loadAll()
  const deviceId = String(_id)
  for (let count = 0; count < 8; count += 1)
    book.note(deviceId, clock.now(), (facts) => noteSignal(facts, clock.now(), -50))
  expect(book.get(deviceId)?.reasons).toEqual(['weak'])
})

test('a board whose signal is heard to be weak is weak, and no longer once it is stronger', async () => {
  const now = 1_700_000_000_000
  const _id = new Types.ObjectId()
  const board = { _id, isOnline: true, lastSeen: new Date(now), hwModel: 'batti-wall-4', osVersion: '1.4.0' }
  const { clock, events, book } = setUp(holding([board]), { now })
  const hear = async (wifiRSSI: number): Promise<number> => {
    clock.advance(60_000)
    const about = { deviceId: String(_id), deviceMac: 'AABBCCDDEEFF' }
    events.emit('device-changed', { ...about, update: { wifiRSSI }, at: clock.now() })
    await events.settled()
    return book.figures().weakSignal
  }
  expect(await hear(-90)).toBe(1)
  await hear(-50)
  expect(await hear(-50)).toBe(0)
})
