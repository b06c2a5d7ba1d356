import { minuteMs } from '@batti/kit/durations'
import { Types } from 'mongoose'
import type { Boards } from '../../boards/boards.ts'
import { isDoneWithin } from '../../platform/is-done-within.ts'
import type { Platform } from '../../platform/platform.ts'
import { inBatches } from '../../platform/store/batches/in-batches.ts'
import type { ListColumns } from '../../platform/store/lists/list-columns.ts'
import { createColumnKeeper } from './keep-columns.ts'
import { sweepColumns } from './sweep-columns.ts'

interface ListColumnsDeps extends Pick<Platform, 'connection' | 'databaseDeadlineMs' | 'events' | 'isAlone' | 'log'> {
  boards: Pick<Boards, 'models' | 'directory' | 'store' | 'onReport'>
}

/** Long enough to combine boards that reconnect together, too short for anybody to notice in a sorted list. */
const roomsMs = 100
/**
 * States are written when somebody sorts switches by state, at the end of the process, or when this many boards wait. What
 * a crashed process had not written is repaired at the next start.
 */
const statesOfBoards = 2000
/** Needed with several instances: sorting on another instance does not trigger a write here. */
const statesSharedMs = minuteMs
/** The longest that a reader waits for writes, in deadlines of a database call. After that it reads what is stored. */
const settledWithin = 0.4

/** Keeps the columns for sorting and searching lists up to date: changes by people at once, reports of boards a moment later. */
export function createListColumnsFeature(deps: ListColumnsDeps) {
  const { connection, databaseDeadlineMs, events, isAlone, log, boards } = deps
  const { models, directory, store } = boards
  const keeper = createColumnKeeper(connection, store.unstoredState)
  let switched = new Map<string, Map<number, boolean>>()
  let rooms = new Set<string>()
  let timers: { rooms?: NodeJS.Timeout; states?: NodeJS.Timeout } = {}
  let writing: Promise<unknown> = Promise.resolve()
  let sweeping: Promise<unknown> = Promise.resolve()
  let isStopping = false

  async function writeStates(states: typeof switched): Promise<void> {
    const outlets = [...states].flatMap(([id, outletsOf]) =>
      [...outletsOf].map(([switchIndex, status]) => ({ deviceId: new Types.ObjectId(id), switchIndex, status }))
    )
    for (const batch of inBatches(outlets)) {
      await models.switches.collection.bulkWrite(
        batch.map(({ deviceId, switchIndex, status }) => ({
          updateOne: { filter: { deviceId, switchIndex }, update: { $set: { 'list.status': status } } }
        })),
        { ordered: false }
      )
    }
  }
  async function writeRooms(): Promise<void> {
    const counted = rooms
    rooms = new Set()
    // The counts are computed from stored rows.
    await store.stored()
    for (const batch of inBatches([...counted])) await keeper.keepRooms(batch)
  }
  const serialize = (write: () => Promise<void>): Promise<unknown> =>
    (writing = writing.then(write).catch((error: unknown) => log.warn({ err: error }, 'list columns are outdated')))
  async function settled(): Promise<void> {
    clearTimeout(timers.states)
    delete timers.states
    const states = switched
    switched = new Map()
    await serialize(() =>
      writeStates(states).catch((error: unknown) => {
        for (const [id, outlets] of states) switched.set(id, new Map([...outlets, ...(switched.get(id) ?? [])]))
        settleLater()
        throw error
      })
    )
  }
  function settleLater(): void {
    if (!isAlone && !isStopping) timers.states ??= setTimeout(() => void settled(), statesSharedMs).unref()
  }

  boards.onReport(({ id }, { changed }) => {
    if (changed.length === 0) return
    const known = switched.get(id) ?? new Map<number, boolean>()
    for (const { index, on } of changed) known.set(index, on)
    switched.set(id, known)
    if (switched.size >= statesOfBoards) void settled()
    else settleLater()
  })
  events.on('device-changed', ({ deviceId, update }) => {
    const roomId = 'isOnline' in update ? directory.peek(deviceId)?.roomId : null
    if (roomId === null || roomId === undefined) return
    rooms.add(roomId)
    timers.rooms ??= setTimeout(() => {
      delete timers.rooms
      void serialize(writeRooms)
    }, roomsMs).unref()
  })

  return {
    columns: {
      ...keeper.columns,
      settled: () => isDoneWithin(settledWithin * databaseDeadlineMs, settled())
    } satisfies ListColumns,
    /** Checks everything once; returns how many rows were wrong. */
    sweep: () => sweepColumns(keeper, () => isStopping),
    start() {
      sweeping = sweepColumns(keeper, () => isStopping).then(
        (mended) => mended > 0 && log.info({ mended }, 'list columns were repaired'),
        (error: unknown) => log.warn({ err: error }, 'list columns could not be checked')
      )
    },
    async stop() {
      isStopping = true
      await sweeping
      for (const timer of Object.values(timers)) clearTimeout(timer)
      timers = {}
      if (rooms.size > 0) await serialize(writeRooms)
      await settled()
    }
  }
}
