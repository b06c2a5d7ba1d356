import { deviceIdOfClient, type HealthReason } from '@batti/contracts'
import type { Model } from 'mongoose'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import type { Clock } from '@batti/kit/clock'
import type { DomainEvents, EventBus } from '../../platform/events.ts'
import type { BoardRecords } from './board-records.ts'
import type { BookedBoard, FleetBook } from './fleet-book.ts'
import type { FleetHours } from './fleet-hours.ts'
import type { FleetModels } from './fleet.models.ts'
import { noFacts, noteCommand, noteConnection, noteSignal } from './judge-board.ts'

const hourMs = 3_600_000

type LoadedDevice = Pick<
  DeviceDocument,
  | '_id'
  | 'isOnline'
  | 'lastSeen'
  | 'onlineChangedAt'
  | 'hwModel'
  | 'osVersion'
  | 'bootId'
  | 'healthReasons'
  | 'healthSince'
>
const loaded = {
  isOnline: 1,
  lastSeen: 1,
  onlineChangedAt: 1,
  hwModel: 1,
  osVersion: 1,
  bootId: 1,
  healthReasons: 1,
  healthSince: 1
} as const

/** Counts what boards do as their messages pass: in memory at once, in the database a moment later. */
export function createBoardWatch(deps: {
  models: FleetModels & { devices: Model<DeviceDocument> }
  book: FleetBook
  records: BoardRecords
  hours: FleetHours
  events: EventBus
  clock: Clock
}) {
  const { models, book, records, hours, events, clock } = deps

  function judge(id: string): void {
    const change = book.judge(id, clock.now())
    if (change !== null) records.judged(change)
  }

  /** A board that this process has not booked yet: it was added a moment ago, or by another instance. */
  async function load(id: string): Promise<BookedBoard | null> {
    const device = await models.devices.findById(id, loaded).lean<LoadedDevice>()
    if (device === null) {
      book.forget(id)
      return null
    }
    const before = book.get(id)
    const board = { ...booked(device), ...(before === undefined ? {} : { connections: before.connections }) }
    book.put(id, board)
    return board
  }

  /** `note` is run at once for a board that is booked, and after it was loaded for one that is not. */
  function withBoard(id: string, note: (board: BookedBoard) => void): void | Promise<void> {
    const board = book.get(id)
    if (board !== undefined) {
      note(board)
      judge(id)
      return
    }
    return load(id).then((found) => {
      if (found === null) return
      note(found)
      judge(id)
    })
  }

  function online({ deviceId, status }: DomainEvents['device-online']): void | Promise<void> {
    const at = clock.now()
    // Its boot may be stored before the board is booked; the event's key sees to it that it is told once.
    const isUnknown = book.get(deviceId) === undefined
    return withBoard(deviceId, (board) => {
      board.isOnline = true
      board.isSeen = true
      board.onlineChangedAt = at
      noteConnection(board, at)
      const key = status === undefined ? String(at - (at % 1000)) : `${status.bootId}:${status.conn}`
      records.happened({ deviceId, kind: 'online', at, key })
      if (status !== undefined && (isUnknown || status.bootId !== board.bootId)) {
        board.bootId = status.bootId
        records.happened({ deviceId, kind: 'boot', at: at + 1, key: status.bootId })
      }
    })
  }

  function changed({ deviceId, update, at }: DomainEvents['device-changed']): void | Promise<void> {
    const { isOnline, wifiRSSI, osVersion } = update
    const wentOffline = isOnline === false
    const saysSignal = typeof wifiRSSI === 'number'
    const board = book.get(deviceId)
    const saysVersion = typeof osVersion === 'string' && osVersion !== board?.osVersion
    if (!wentOffline && !saysSignal && !saysVersion) return
    return withBoard(deviceId, (known) => {
      if (saysVersion) known.osVersion = osVersion
      if (saysSignal) {
        noteSignal(known, at, wifiRSSI)
        records.signalOf(deviceId, at, wifiRSSI)
      }
      if (wentOffline) {
        known.isOnline = false
        known.onlineChangedAt = at
        records.happened({ deviceId, kind: 'offline', at, key: `${known.bootId}:${Math.floor(at / 2000)}` })
      }
    })
  }

  function commandEnded(command: DomainEvents['command-ended']): void | Promise<void> {
    const { deviceId, result, sentAt, tookMs } = command
    if (result === 'offline') return hours.count('offline', sentAt)
    const isAnswered = result === 'confirmed' || result === 'failed'
    if (result === 'confirmed') hours.count('confirmed', sentAt, tookMs)
    else if (!isAnswered) hours.count('expired', sentAt)
    return withBoard(deviceId, (board) => {
      const before = board.unanswered
      noteCommand(board, isAnswered)
      if (before !== 0 || board.unanswered !== 0) records.commandsOf(deviceId, board.unanswered)
    })
  }

  const happenedNow = (deviceId: string, kind: 'claimed' | 'released' | 'config', detail?: string): void => {
    const at = clock.now()
    records.happened({ deviceId, kind, at, key: String(Math.floor(at / 2000)), detail: detail ?? null })
  }

  events.on('device-online', online)
  events.on('device-changed', changed)
  events.on('command-ended', commandEnded)
  events.on('device-added', async ({ deviceId }) => {
    if ((await load(deviceId)) !== null) judge(deviceId)
  })
  events.on('device-claimed', async ({ deviceId }) => {
    happenedNow(deviceId, 'claimed')
    if ((await load(deviceId)) !== null) judge(deviceId)
  })
  events.on('device-released', async ({ deviceId, reason }) => {
    happenedNow(deviceId, 'released', reason)
    await load(deviceId)
  })
  events.on('device-edited', ({ deviceId }) => happenedNow(deviceId, 'config'))
  events.on('firmware-progressed', ({ deviceId, progress }) => {
    if (!['done', 'failed', 'download'].includes(progress.phase)) return
    const at = clock.now()
    const detail = progress.error === undefined ? progress.phase : `${progress.phase}: ${progress.error}`
    records.happened({ deviceId, kind: 'firmware', at, detail, key: `${progress.id}:${progress.phase}` })
  })
  events.on('refused', ({ method, url, userAgent }) => {
    const deviceId = method === 'MQTT' && url === 'CONNECT' ? deviceIdOfClient(userAgent) : null
    if (deviceId === null || book.get(deviceId) === undefined) return
    const at = clock.now()
    records.happened({ deviceId, kind: 'refused', at, detail: 'CONNECT refused', key: String(Math.floor(at / 1000)) })
  })

  return {
    /** Books every board, and what the last hour counted of it. */
    async loadAll(): Promise<void> {
      const now = clock.now()
      for await (const device of models.devices.find({}, loaded).lean<LoadedDevice[]>().cursor({ batchSize: 1000 })) {
        if (book.get(String(device._id)) === undefined) book.put(String(device._id), booked(device))
      }
      const since = new Date(now - hourMs)
      const connections = models.events.find({ kind: 'online', at: { $gt: since } }).sort({ at: 1 })
      for await (const { deviceId, at } of connections.lean().cursor({ batchSize: 1000 })) {
        const board = book.get(String(deviceId))
        if (board !== undefined) noteConnection(board, at.getTime())
      }
      const signals = models.signals.find({ at: { $gte: new Date(now - 2 * hourMs) } }).sort({ at: 1 })
      for await (const { deviceId, at, slots } of signals.lean().cursor({ batchSize: 1000 })) {
        const board = book.get(String(deviceId))
        for (const [slot, dbm] of Object.entries(slots ?? {})) {
          const sampledAt = at.getTime() + Number(slot) * 600_000
          if (board !== undefined && sampledAt > now - hourMs) noteSignal(board, sampledAt, dbm)
        }
      }
      for await (const { _id, unanswered } of models.commandRecords.find({}).lean().cursor({ batchSize: 1000 })) {
        const board = book.get(String(_id))
        if (board !== undefined) board.unanswered = unanswered
      }
    }
  }
}

function booked(device: LoadedDevice): BookedBoard {
  const since: Partial<Record<HealthReason, number>> = {}
  for (const reason of device.healthReasons ?? []) {
    const at = device.healthSince?.[reason]
    if (at !== undefined) since[reason] = new Date(at).getTime()
  }
  return {
    ...noFacts(),
    isOnline: device.isOnline,
    isSeen: device.isOnline || (device.lastSeen !== null && device.lastSeen !== undefined),
    onlineChangedAt: (device.onlineChangedAt ?? device.lastSeen)?.getTime() ?? 0,
    hwModel: device.hwModel,
    osVersion: device.osVersion,
    bootId: device.bootId,
    reasons: device.healthReasons ?? [],
    since
  }
}
