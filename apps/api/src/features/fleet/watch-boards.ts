import { deviceIdOfClient, type HealthReason } from '@batti/contracts'
import type { Model } from 'mongoose'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import type { Clock } from '@batti/kit/clock'
import type { DomainEvents, EventBus } from '../../platform/events.ts'
import { loadTogether } from '../../platform/store/load-together.ts'
import { inPages } from '../../platform/store/in-pages.ts'
import type { BoardRecords } from './board-records.ts'
import type { BookedBoard, FleetBook } from './fleet-book.ts'
import type { FleetHours } from './fleet-hours.ts'
import { slotMs, type FleetModels } from './fleet.models.ts'
import { noFacts, noteCommand, noteConnection, noteSignal } from './judge-board.ts'

const hourMs = 3_600_000
const minuteMs = 60_000
/** Several instances may hear of the same thing, one a moment after the other. */
const momentMs = 2000

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
type LoadedDevice = Pick<DeviceDocument, '_id' | keyof typeof loaded>

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

  const readTogether = loadTogether<BookedBoard>(async (ids) => {
    const found = await models.devices.find({ _id: { $in: ids } }, loaded).lean<LoadedDevice[]>()
    const boards = new Map(found.map((device) => [String(device._id), booked(device)]))
    const now = clock.now()
    // What is heard at this moment is noted here, and another instance may have stored it already.
    await recall(boards, { since: new Date(now - hourMs), until: new Date(now - momentMs) })
    return boards
  })

  function noted(id: string, note?: (board: BookedBoard) => void): void {
    const change = book.note(id, clock.now(), note)
    if (change !== null) records.judged(change)
  }

  /** Boards that have to be read, until that was done: the database may be away. */
  const unread = new Set<string>()

  /** Books a board as it is stored: it was added a moment ago, or changed hands. */
  async function load(id: string): Promise<void> {
    unread.add(id)
    const stored = await readTogether(id)
    unread.delete(id)
    if (stored === null) {
      book.forget(id)
      records.forget(id)
      return
    }
    const before = book.get(id)
    book.put(id, before === undefined ? stored : { ...stored, ...noFacts(), ...heardSince(before, stored) })
  }

  /** Books one that this process has not heard of; what another message has booked meanwhile stays. */
  async function loadMissing(id: string): Promise<void> {
    const stored = await readTogether(id)
    if (stored !== null && book.get(id) === undefined) book.put(id, stored)
  }

  /** `note` is run at once for a board that is booked, and after it was loaded for one that is not. */
  function withBoard(id: string, note?: (board: BookedBoard) => void): void | Promise<void> {
    if (book.get(id) === undefined) return loadMissing(id).then(() => noted(id, note))
    noted(id, note)
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
        records.happened({ deviceId, kind: 'offline', at, key: `${known.bootId}:${Math.floor(at / momentMs)}` })
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

  /** What the last hour counted of these boards. */
  async function recall(
    boards: ReadonlyMap<string, BookedBoard>,
    { since, until }: { since: Date; until: Date }
  ): Promise<void> {
    const deviceId = { $in: [...boards.keys()] }
    const [connections, signals, commands] = await Promise.all([
      models.events
        .find({ deviceId, kind: 'online', at: { $gt: since, $lte: until } })
        .sort({ at: 1 })
        .lean(),
      models.signals
        .find({ deviceId, at: { $gt: new Date(since.getTime() - hourMs) } })
        .sort({ at: 1 })
        .lean(),
      models.commandRecords.find({ _id: deviceId }).lean()
    ])
    for (const row of connections) {
      const board = boards.get(String(row.deviceId))
      if (board !== undefined) noteConnection(board, row.at.getTime())
    }
    for (const row of signals) {
      const board = boards.get(String(row.deviceId))
      for (const [slot, dbm] of Object.entries(row.slots ?? {})) {
        const from = row.at.getTime() + Number(slot) * slotMs
        // It stands for each of its minutes, as what is heard from now on does.
        for (let at = from; at < from + slotMs; at += minuteMs)
          if (board !== undefined && at > since.getTime() && at <= until.getTime()) noteSignal(board, at, dbm)
      }
    }
    for (const { _id, unanswered } of commands) {
      const board = boards.get(String(_id))
      if (board !== undefined) board.unanswered = unanswered
    }
  }

  const happenedNow = (deviceId: string, kind: 'claimed' | 'released', detail: string | null = null): void => {
    const at = clock.now()
    records.happened({ deviceId, kind, at, key: String(Math.floor(at / momentMs)), detail })
  }

  events.on('device-online', online)
  events.on('device-changed', changed)
  events.on('command-ended', commandEnded)
  events.on('device-added', async ({ deviceId }) => {
    await load(deviceId)
    noted(deviceId)
  })
  events.on('device-claimed', async ({ deviceId }) => {
    happenedNow(deviceId, 'claimed')
    await load(deviceId)
    noted(deviceId)
  })
  events.on('device-released', async ({ deviceId, reason }) => {
    happenedNow(deviceId, 'released', reason)
    await load(deviceId)
  })
  events.on('board-set', ({ deviceId, kind, detail }) => {
    const at = clock.now()
    records.happened({ deviceId, kind, at, key: String(at), detail })
  })
  // What became of the update, and not what the board says: it is done when it has stayed.
  events.on('firmware-notice', ({ deviceId, event }) => {
    if (!['done', 'failed', 'rolled-back', 'download'].includes(event.phase)) return
    const at = clock.now()
    const detail = event.error === undefined ? event.phase : `${event.phase}: ${event.error}`
    records.happened({ deviceId, kind: 'firmware', at, detail, key: `${event.id}:${event.phase}` })
  })
  events.on('refused', ({ method, url, userAgent }) => {
    const deviceId = method === 'MQTT' && url === 'CONNECT' ? deviceIdOfClient(userAgent) : null
    if (deviceId === null || book.get(deviceId) === undefined) return
    const at = clock.now()
    records.happened({ deviceId, kind: 'refused', at, detail: 'CONNECT refused', key: String(Math.floor(at / 1000)) })
  })

  return {
    /** Tries again what could not be read when something happened to it: nothing else would. */
    async loadUnread(): Promise<void> {
      await Promise.all([...unread].map(load))
    },
    /** Books every board, and what the last hour counted of it. */
    async loadAll(): Promise<void> {
      const now = clock.now()
      const span = { since: new Date(now - hourMs), until: new Date(now) }
      for await (const page of inPages<DeviceDocument, keyof typeof loaded>(models.devices, {}, loaded)) {
        const fresh = page.filter(({ _id }) => book.get(String(_id)) === undefined)
        const found = new Map(fresh.map((device) => [String(device._id), booked(device)]))
        await recall(found, span)
        // One that spoke in between is booked by now.
        for (const [id, board] of found) if (book.get(id) === undefined) book.put(id, board)
      }
    }
  }
}

/** What was heard of a board may be on its way to the database still. */
function heardSince(heard: BookedBoard, stored: BookedBoard): Partial<BookedBoard> {
  const { connections, isOnline, isSeen, onlineChangedAt, bootId } = heard
  return onlineChangedAt < stored.onlineChangedAt
    ? { connections }
    : { connections, isOnline, isSeen: isSeen || stored.isSeen, onlineChangedAt, bootId }
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
