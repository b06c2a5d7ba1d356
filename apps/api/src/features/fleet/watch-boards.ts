import type { Model } from 'mongoose'
import { z } from 'zod'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import type { Clock } from '@batti/kit/clock'
import type { Cluster } from '../../platform/cluster/cluster.ts'
import type { DomainEvents, EventBus } from '../../platform/events.ts'
import type { BoardRecords } from './board-records.ts'
import type { BookedBoard, FleetBook } from './fleet-book.ts'
import type { FleetHours } from './fleet-hours.ts'
import type { FleetModels } from './fleet.models.ts'
import { noteCommand, noteConnection, noteSignal } from './judge-board.ts'
import { createBoardLoading, momentMs } from './load-boards.ts'
import { recordHappenings } from './record-happenings.ts'

/** A command that another instance sent: a board is failing whoever sends the commands that it does not answer. */
const commandJudged = z.object({ deviceId: z.string(), isAnswered: z.boolean() })

/** Counts events of boards as their messages pass: in memory at once, in the database a moment later. */
export function createBoardWatch(deps: {
  models: FleetModels & { devices: Model<DeviceDocument> }
  book: FleetBook
  records: BoardRecords
  hours: FleetHours
  cluster: Pick<Cluster, 'on' | 'publish'>
  events: EventBus
  clock: Clock
}) {
  const { book, records, hours, cluster, events, clock } = deps
  const loading = createBoardLoading(deps)
  /** The last note of each board that still waits for a load. */
  const turns = new Map<string, Promise<void>>()

  function noted(id: string, note?: (board: BookedBoard) => void): void {
    const change = book.note(id, clock.now(), note)
    if (change !== null) records.judged(change)
  }

  /**
   * Runs `note` at once if the board is known, otherwise after it was loaded. Notes of a board keep their order, also if
   * another load has added it meanwhile: it would stay online for good if its going offline came first.
   */
  function withBoard(id: string, note?: (board: BookedBoard) => void): void | Promise<void> {
    const isKnown = book.get(id) !== undefined
    const before = turns.get(id)
    if (isKnown && before === undefined) return noted(id, note)
    const load = isKnown ? undefined : loading.loadMissing(id)
    const turn = Promise.allSettled([load, before])
      .then(() => (book.get(id) === undefined ? load : undefined))
      .then(() => noted(id, note))
      .finally(() => turns.get(id) === turn && turns.delete(id))
    turns.set(id, turn)
    return turn
  }

  function online({ deviceId, status }: DomainEvents['device-online']): void | Promise<void> {
    const at = clock.now()
    // The boot may be stored before the board is added; the event's key keeps it from being recorded twice.
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
    return noteAnswer({ deviceId, isAnswered }, true)
  }

  /** Answers matter only while one is missing: most commands change nothing here, and are told to nobody. */
  function noteAnswer({ deviceId, isAnswered }: z.infer<typeof commandJudged>, isOwn: boolean): void | Promise<void> {
    if (isAnswered && book.get(deviceId)?.unanswered === 0) return
    return withBoard(deviceId, (board) => {
      if (isAnswered && board.unanswered === 0) return
      noteCommand(board, isAnswered)
      records.commandsOf(deviceId, board.unanswered)
      if (isOwn) cluster.publish('command-judged', { deviceId, isAnswered }, { mayWait: true })
    })
  }

  events.on('device-online', online)
  events.on('device-changed', changed)
  events.on('command-ended', commandEnded)
  cluster.on('command-judged', commandJudged, (command) => {
    // An unknown board will be read with what the other instance has stored.
    if (book.get(command.deviceId) !== undefined) void noteAnswer(command, false)
  })
  recordHappenings(deps)
  const loadAndNote = async ({ deviceId }: { deviceId: string }): Promise<void> => {
    await loading.load(deviceId)
    noted(deviceId)
  }
  events.on('device-added', loadAndNote)
  events.on('device-claimed', loadAndNote)
  events.on('device-released', ({ deviceId }) => loading.load(deviceId))

  return { loadUnread: loading.loadUnread, loadAll: loading.loadAll }
}
