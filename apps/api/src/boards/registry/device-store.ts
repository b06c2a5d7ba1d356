import { aheadOf, type Clock } from '@batti/kit/clock'
import { createTokenBucket } from '@batti/kit/token-bucket'
import { Types, type Model } from 'mongoose'
import type { Logger } from 'pino'
import { sharedRowId, type ActionLogDocument, type ReportName } from '../reports/action-log.model.ts'
import type { DeviceDocument } from './device.model.ts'
import { guardedUpdates, plainUpdate, type DeviceFields } from './state-updates.ts'
import { inBatches } from '../../platform/store/batches/in-batches.ts'
import { insertNew } from '../../platform/store/batches/insert-new.ts'
import { complaintRate } from '../reports/complaint-rate.ts'
import { nameCauses } from '../reports/name-causes.ts'
import { createReportLookups, type PlaceInLog } from '../reports/report-lookups.ts'
import { restoreStates } from '../reports/restore-states.ts'
import { clockSetMs, createStateMark } from '../reports/state-mark.ts'
import type { StoreBatch } from '../../platform/store/batches/batch-collector.ts'
import { createWriteBehind } from '../../platform/store/batches/write-behind.ts'
import type { CommandDocument } from '../commands/command.model.ts'
import { createStoredCommands, type CommandChange } from '../commands/stored-commands.ts'

/** Longer than a board usually takes to answer, and too short for anybody to notice in the log. */
const gatherMs = 25

/** May be slow: screens update at once, boards repeat after a second, and pages read the log a second after a change. */
const calmMs = 500

/** How long a lookup waits for rows that are not written yet; longer than a write takes. */
const writtenWithinMs = 5_000

/** Stores reports and commands in batches, directly through the driver: every field was validated on its way in. */
export function createDeviceStore(options: {
  devices: Model<DeviceDocument>
  actionLogs: Model<ActionLogDocument>
  commands: Model<CommandDocument>
  clock: Clock
  log: Logger
  /** Whether other api instances write to the same boards. */
  isClustered: boolean
  /** Whether other instances are told what this one receives. If not, they receive it themselves, and look up its cause here. */
  areOthersNotified(): boolean
  onQueue?(length: number): void
}) {
  const { devices, actionLogs, commands, clock, log, isClustered, areOthersNotified, onQueue } = options

  /** Whether other instances read the stored commands right away. */
  const isRead = (): boolean => isClustered && !areOthersNotified()
  const storedCommands = createStoredCommands(commands, isRead)

  type Batch = StoreBatch<ActionLogDocument, CommandChange, DeviceFields>
  const mark = createStateMark(commands.db)
  const cutNow = () => ({ id: new Types.ObjectId(), aheadMs: aheadOf(clock) })
  type Cut = ReturnType<typeof cutNow>
  /** By batch: an id that is older than the ids of all rows added after the batch. */
  const cuts = new WeakMap<Batch, Cut>()
  let marked = cutNow()

  async function writeMark(cut: Cut): Promise<void> {
    await mark.write(cut.id)
    marked = cut
  }

  async function store(batch: Batch): Promise<void> {
    const cut = cuts.get(batch) ?? cutNow()
    cuts.set(batch, cut)
    // Log rows come first: if only the state were stored, the board's repeated report would look outdated.
    await Promise.all([
      insertNew(batch.logs, (rows) => actionLogs.collection.insertMany(rows, { ordered: false })).then((inserted) =>
        nameCauses(actionLogs, batch.logs, new Set(inserted))
      ),
      storedCommands.write(batch.commands)
    ])
    for (const states of inBatches([...batch.states.values()])) {
      await devices.collection.bulkWrite(states.flatMap(isClustered ? guardedUpdates : plainUpdate), { ordered: false })
    }
    if (isClustered) return
    if (batch.isWhole) await writeMark(cut)
    // Under the clock as it is now, later rows would not be found from the mark.
    else if (Math.abs(cut.aheadMs - marked.aheadMs) > clockSetMs) void queue.settle()
  }

  const queue = createWriteBehind({
    store,
    log,
    gatherMs,
    calmMs,
    isCalm: () => !isRead(),
    ...(onQueue === undefined ? {} : { onQueue })
  })

  const lookups = createReportLookups({ actionLogs, commands, isClustered })
  const mayComplain = createTokenBucket(complaintRate, () => performance.now()).take

  /** Looks something up once every row of this process is stored. Undefined if that takes too long or the log cannot be read. */
  async function fromWholeLog<Found>(deviceId: string, lookUp: () => Promise<Found>): Promise<Found | undefined> {
    if (!(await queue.caughtUp(writtenWithinMs))) return undefined
    try {
      return await lookUp()
    } catch (error) {
      if (mayComplain()) log.warn({ err: error, deviceId }, 'the log of a board could not be read')
      return undefined
    }
  }

  return {
    ...queue,
    ...lookups,
    /** Finds also a report whose rows are still to be written. Undefined if that cannot be known now. */
    placeInLog: (...of: Parameters<typeof lookups.placeInLog>): Promise<PlaceInLog | undefined> =>
      fromWholeLog(of[0].id, () => lookups.placeInLog(...of)),
    /** Returns those of the changes that are logged already, by other instances. Undefined if that cannot be known now. */
    findLogged: isClustered
      ? (...of: Parameters<typeof lookups.findLogged>): Promise<ReadonlySet<ActionLogDocument> | undefined> =>
          fromWholeLog(of[0], () => lookups.findLogged(...of))
      : undefined,
    expireForgottenCommands: storedCommands.expireForgotten,
    forgetPerson: storedCommands.forgetPerson,
    /** In a cluster, other instances read the state from the database, and nothing is restored from the log. */
    setStateLater: isClustered ? queue.setStateCalm : queue.setStateLater,
    /** Returns the id that keeps a row from being stored twice; derived from the report where other instances receive it too. */
    rowId: (deviceId: string, report: ReportName, switchIndex: number): Types.ObjectId =>
      isClustered ? sharedRowId(deviceId, report, switchIndex) : new Types.ObjectId(),
    /** Brings boards up to date with the log. In a cluster the stored states are never behind it. */
    async restoreStates(): Promise<number> {
      const restored = await restoreStates({ devices, actionLogs }, await mark.read())
      await (isClustered ? mark.remove() : writeMark(cutNow()))
      return restored
    }
  }
}
export type DeviceStore = ReturnType<typeof createDeviceStore>
