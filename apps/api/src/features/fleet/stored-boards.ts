import type { HealthReason } from '@batti/contracts'
import type { Clock } from '@batti/kit/clock'
import { hourMs, minuteMs } from '@batti/kit/durations'
import type { Model } from 'mongoose'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import { inPages } from '../../platform/store/batches/in-pages.ts'
import type { BookedBoard } from './fleet-book.ts'
import { slotMs, type FleetModels } from './fleet.models.ts'
import { noFacts, noteConnection, noteSignal } from './judge-board.ts'

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

/** Reads boards as they are stored, with their counts of the last hour. */
export function createStoredBoards({
  models,
  clock
}: {
  models: FleetModels & { devices: Model<DeviceDocument> }
  clock: Pick<Clock, 'now'>
}) {
  function lastHour(): { since: Date; until: Date } {
    const now = clock.now()
    return { since: new Date(now - hourMs), until: new Date(now) }
  }

  /** Restores the counts of that time for these boards. */
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
        // The value is repeated for each of its minutes, like values that are received live.
        for (let at = from; at < from + slotMs; at += minuteMs)
          if (board !== undefined && at > since.getTime() && at <= until.getTime()) noteSignal(board, at, dbm)
      }
    }
    for (const { _id, unanswered } of commands) {
      const board = boards.get(String(_id))
      if (board !== undefined) board.unanswered = unanswered
    }
  }

  return {
    /** Returns the boards that exist, by id. Events of the last `exceptMs` are not counted. */
    async read(ids: readonly string[], exceptMs: number): Promise<Map<string, BookedBoard>> {
      const found = await models.devices.find({ _id: { $in: ids } }, loaded).lean<LoadedDevice[]>()
      const boards = boardsOf(found)
      const span = lastHour()
      await recall(boards, { ...span, until: new Date(span.until.getTime() - exceptMs) })
      return boards
    },
    /** Yields all boards that are not known yet, a page at a time. Events that happen meanwhile are not counted. */
    async *unknown(isKnown: (id: string) => boolean): AsyncGenerator<Map<string, BookedBoard>> {
      const span = lastHour()
      for await (const page of inPages<DeviceDocument, keyof typeof loaded>(models.devices, {}, loaded)) {
        const boards = boardsOf(page.filter(({ _id }) => !isKnown(String(_id))))
        await recall(boards, span)
        yield boards
      }
    }
  }
}

const boardsOf = (devices: readonly LoadedDevice[]): Map<string, BookedBoard> =>
  new Map(devices.map((device) => [String(device._id), booked(device)]))

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
