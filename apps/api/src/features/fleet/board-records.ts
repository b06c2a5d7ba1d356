import type { DeviceEventKind, HealthReason } from '@batti/contracts'
import type { Clock } from '@batti/kit/clock'
import { Types, type Model } from 'mongoose'
import type { Logger } from 'pino'
import { scoreHealth } from '../../boards/registry/score-health.ts'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import { startOfHour } from '../../platform/last-hours.ts'
import { createLimitByKey } from '../../platform/limit-by-key.ts'
import { inBatches } from '../../platform/store/batches/in-batches.ts'
import { insertNew } from '../../platform/store/batches/insert-new.ts'
import type { HealthChange } from './fleet-book.ts'
import { slotMs, type DeviceEventDocument, type FleetModels } from './fleet.models.ts'
import { median } from './judge-board.ts'

/** Rows per board: far more than a day on a bad line, but not enough to fill the disk. */
const eventRate = { perSecond: 60 / 3600, burst: 100 }
/** Who causes a row. Each group has its own limit, so that a flood of one does not hide rows of the others. */
const doers: Record<DeviceEventKind, 'board' | 'people' | 'strangers'> = {
  online: 'board',
  offline: 'board',
  boot: 'board',
  firmware: 'board',
  claimed: 'people',
  released: 'people',
  config: 'people',
  schedules: 'people',
  refused: 'strangers'
}

/** Limit of entries that wait while the database is down: the newest of each kind are kept. */
const waitingMax = 50_000

interface Waiting {
  events: DeviceEventDocument[]
  health: Map<string, HealthChange>
  slots: Map<string, { deviceId: string; hour: number; slot: number; dbm: number }>
  commands: Map<string, number>
}
const nothingWaits = (): Waiting => ({ events: [], health: new Map(), slots: new Map(), commands: new Map() })

export interface HappenedEvent {
  deviceId: string
  kind: DeviceEventKind
  at: number
  detail?: string | null
  /** Identifies the event, where several instances see the same one. */
  key: string
}

/** Records of boards for later: written in batches shortly afterwards, never while a message is being handled. */
export function createBoardRecords(options: {
  models: FleetModels & { devices: Model<DeviceDocument> }
  clock: Pick<Clock, 'monotonic'>
  log: Logger
}) {
  const { clock, log } = options
  const { devices, events, signals, commandRecords } = options.models
  const mayKeep = createLimitByKey(eventRate, clock.monotonic)
  let waiting = nothingWaits()
  const open = new Map<string, { slotAt: number; values: number[] }>()

  function closeSlot(deviceId: string, { slotAt, values }: { slotAt: number; values: number[] }): void {
    const hour = startOfHour(slotAt)
    const slot = (slotAt - hour) / slotMs
    waiting.slots.set(`${deviceId}:${slotAt}`, { deviceId, hour, slot, dbm: Math.round(median(values)) })
  }

  /** Everything may be written twice, because a batch is retried if it is not known to be stored. */
  async function write({ events: rows, health, slots, commands }: Waiting): Promise<void> {
    await insertNew(rows, (batch) => events.insertMany(batch, { ordered: false }))
    for (const batch of inBatches([...health.values()])) await devices.bulkWrite(batch.map(healthWrite))
    for (const batch of inBatches([...slots.values()])) {
      await signals.bulkWrite(
        batch.map(({ deviceId, hour, slot, dbm }) => ({
          updateOne: {
            filter: { _id: `${deviceId}:${hour}` },
            update: {
              $set: { [`slots.${slot}`]: dbm },
              $setOnInsert: { deviceId: new Types.ObjectId(deviceId), at: new Date(hour) }
            },
            upsert: true
          }
        })),
        { ordered: false }
      )
    }
    for (const batch of inBatches([...commands])) {
      await commandRecords.bulkWrite(
        batch.map(([id, unanswered]) => {
          const filter = { _id: new Types.ObjectId(id) }
          return unanswered === 0
            ? { deleteOne: { filter } }
            : { updateOne: { filter, update: { $set: { unanswered } }, upsert: true } }
        })
      )
    }
  }

  return {
    /** Stores an event, unless there were too many of this board recently. */
    happened({ deviceId, kind, at, detail = null, key }: HappenedEvent): void {
      if (!mayKeep(`${deviceId}:${doers[kind]}`)) return
      const _id = `${deviceId}:${kind}:${key}`
      waiting.events.push({ _id, deviceId: new Types.ObjectId(deviceId), at: new Date(at), kind, detail })
    },
    judged: (change: HealthChange): void => void waiting.health.set(change.id, change),
    /** Stores the command bits of a board with recent failures; others need no record. */
    commandsOf: (deviceId: string, unanswered: number): void => void waiting.commands.set(deviceId, unanswered),
    signalOf(deviceId: string, at: number, dbm: number): void {
      const slotAt = at - (at % slotMs)
      const current = open.get(deviceId)
      if (current?.slotAt === slotAt) {
        current.values.push(dbm)
        return
      }
      if (current !== undefined) closeSlot(deviceId, current)
      open.set(deviceId, { slotAt, values: [dbm] })
    },
    /** Returns the current ten minutes of this board so far; null if nothing was received in them. */
    openSignalOf(deviceId: string): { at: number; value: number } | null {
      const current = open.get(deviceId)
      return current === undefined ? null : { at: current.slotAt, value: Math.round(median(current.values)) }
    },
    async flush(): Promise<void> {
      const taken = waiting
      waiting = nothingWaits()
      try {
        await write(taken)
      } catch (error) {
        waiting = {
          events: [...taken.events, ...waiting.events].slice(-waitingMax),
          health: new Map([...taken.health, ...waiting.health]),
          slots: new Map([...taken.slots, ...waiting.slots].slice(-waitingMax)),
          commands: new Map([...taken.commands, ...waiting.commands])
        }
        log.warn({ err: error }, 'events of boards could not be stored')
      }
    },
    /** Drops a board that is gone for good from memory. */
    forget: (deviceId: string): void => void open.delete(deviceId),
    /** Also stores the current ten minutes, because the process ends. */
    closeAll(): void {
      for (const [deviceId, slot] of open) closeSlot(deviceId, slot)
      open.clear()
    }
  }
}
export type BoardRecords = ReturnType<typeof createBoardRecords>

function healthWrite({ id, reasons, since }: HealthChange) {
  const { score, reasons: ordered } = scoreHealth(reasons)
  const times = Object.entries(since).map(([reason, at]): [string, Date] => [reason, new Date(at)])
  const healthSince: Partial<Record<HealthReason, Date>> = Object.fromEntries(times)
  return {
    updateOne: {
      filter: { _id: new Types.ObjectId(id) },
      update: { $set: { healthReasons: ordered, healthScore: score, healthSince } },
      timestamps: false
    }
  }
}
