import type { DeviceEventKind } from '@batti/contracts'
import { createFakeClock } from '@batti/kit/testing'
import { Types } from 'mongoose'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { singleInstance } from '../../platform/cluster/cluster.ts'
import { createEventBus } from '../../platform/events.ts'
import { createBoardRecords } from './board-records.ts'
import { createFleetBook } from './fleet-book.ts'
import type { DeviceEventDocument } from './fleet.models.ts'
import { noFacts } from './judge-board.ts'
import { createBoardWatch } from './watch-boards.ts'

type Deps = Parameters<typeof createBoardWatch>[0]

/** Records of boards on a database that only stores events and signals, and finds no board. */
function recordsOfEvents() {
  const clock = createFakeClock()
  const log = pino({ enabled: false })
  const stored: DeviceEventDocument[] = []
  const signals: string[] = []
  const lean = async () => []
  const find = () => ({ sort: () => ({ lean }), lean })
  const models = {
    events: { insertMany: async (batch: DeviceEventDocument[]) => void stored.push(...batch), find },
    devices: { bulkWrite: async () => undefined, find },
    signals: {
      bulkWrite: async (batch: { updateOne: { filter: { _id: string } } }[]) =>
        void signals.push(...batch.map(({ updateOne }) => updateOne.filter._id)),
      find
    },
    commandRecords: { find }
  } as unknown as Deps['models']
  const records = createBoardRecords({ models, clock, log })

  /** Boards in the memory of the watch. */
  function watchBoards(count: number) {
    const ids = Array.from({ length: count }, () => String(new Types.ObjectId()))
    const events = createEventBus(log)
    const book = createFleetBook({ silentMs: 86_400_000, isOutdated: () => false })
    createBoardWatch({
      models,
      book,
      records,
      hours: {} as Deps['hours'],
      cluster: singleInstance('one'),
      events,
      clock
    })
    const state = { isOnline: false, isSeen: true, onlineChangedAt: 0, bootId: '', reasons: [], since: {} }
    for (const id of ids) book.put(id, { ...noFacts(), ...state, hwModel: 'batti-wall-4', osVersion: '1.4.0' })
    return { ids, book, events }
  }
  return {
    clock,
    watchBoards,
    happened: (deviceId: string, kind: DeviceEventKind, key: string) =>
      records.happened({ deviceId, kind, key, at: clock.now() }),
    /** Boards whose signal is stored when the process ends. */
    async signalsAtTheEnd(): Promise<string[]> {
      records.closeAll()
      await records.flush()
      return signals.map((id) => id.split(':')[0] ?? '')
    },
    async kindsOf(deviceId: string): Promise<DeviceEventKind[]> {
      await records.flush()
      return stored.filter((row) => String(row.deviceId) === deviceId).map(({ kind }) => kind)
    }
  }
}

test('a board that reports a boot each second stores a hundred rows, then one a minute', async () => {
  const { clock, watchBoards, kindsOf } = recordsOfEvents()
  const { ids, book, events } = watchBoards(2)
  const [mad = '', calm = ''] = ids
  const start = (deviceId: string, bootId: string): void => {
    const status = { online: true, bootId, conn: 1 }
    events.emit('device-online', { deviceId, deviceMac: 'AABBCCDDEEFF', userId: null, status })
  }
  for (let count = 1; count <= 500; count += 1) start(mad, `boot-${count}`)
  start(calm, 'boot-1')
  expect(await kindsOf(mad)).toHaveLength(100)
  expect(await kindsOf(calm)).toEqual(['online', 'boot'])
  expect(book.get(mad)).toMatchObject({ isOnline: true, bootId: 'boot-500' })
  clock.advance(3_600_000)
  for (let count = 501; count <= 1000; count += 1) start(mad, `boot-${count}`)
  expect(await kindsOf(mad)).toHaveLength(160)
})

test('refused strangers under its name hide neither what a board does nor what people do with it', async () => {
  const { happened, kindsOf } = recordsOfEvents()
  const id = String(new Types.ObjectId())
  for (let count = 0; count < 500; count += 1) happened(id, 'refused', String(count))
  happened(id, 'online', 'a')
  for (let count = 0; count < 500; count += 1) happened(id, 'boot', String(count))
  happened(id, 'released', 'a')
  const kinds = await kindsOf(id)
  expect(kinds.filter((kind) => kind === 'refused')).toHaveLength(100)
  expect(kinds.filter((kind) => kind === 'boot')).toHaveLength(99)
  expect(kinds).toEqual(expect.arrayContaining(['online', 'released']))
})

test('no signal of a deleted board is stored', async () => {
  const { watchBoards, signalsAtTheEnd } = recordsOfEvents()
  const { ids, book, events } = watchBoards(2)
  for (const deviceId of ids)
    events.emit('device-changed', { deviceId, deviceMac: 'AABBCCDDEEFF', update: { wifiRSSI: -60 }, at: 1000 })
  const [deleted = '', kept] = ids
  events.emit('device-released', { deviceId: deleted, deviceMac: 'AABBCCDDEEFF', userId: null, reason: 'deleted' })
  await expect.poll(() => book.get(deleted)).toBeUndefined()
  expect(await signalsAtTheEnd()).toEqual([kept])
})

test('what the database did not store is stored later: the newest health, and each event once', async () => {
  const clock = createFakeClock()
  let isAway = true
  const rows: string[] = []
  const health: unknown[] = []
  const models = {
    events: {
      insertMany: async (batch: DeviceEventDocument[]) => {
        if (isAway) throw new Error('The database did not answer')
        rows.push(...batch.map(({ kind }) => kind))
      }
    },
    devices: { bulkWrite: async (batch: { updateOne: { update: unknown } }[]) => void health.push(...batch) }
  } as unknown as Deps['models']
  const records = createBoardRecords({ models, clock, log: pino({ enabled: false }) })
  const id = String(new Types.ObjectId())
  records.happened({ deviceId: id, kind: 'offline', key: 'a', at: clock.now() })
  records.judged({ id, reasons: ['flapping'], since: {} })
  await records.flush()
  records.happened({ deviceId: id, kind: 'online', key: 'a', at: clock.now() })
  records.judged({ id, reasons: ['weak'], since: {} })
  isAway = false
  await records.flush()
  await records.flush()
  expect(rows).toEqual(['offline', 'online'])
  expect(health).toMatchObject([{ updateOne: { update: { $set: { healthReasons: ['weak'] } } } }])
})
