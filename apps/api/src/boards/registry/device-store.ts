import { setTimeout as wait } from 'node:timers/promises'
import type { ChangeCause, DeviceReport } from '@batti/contracts'
import { mongo, Types, type Model } from 'mongoose'
import type { Logger } from 'pino'
import { causeOfRow, sharedRowId, type ActionLogDocument, type ReportName } from '../reports/action-log.model.ts'
import type { DeviceDocument } from './device.model.ts'
import { guardedUpdates, plainUpdate, type DeviceFields } from './state-updates.ts'
import { isDuplicateKey } from '../../platform/store/database.ts'
import { inBatches } from '../../platform/store/in-batches.ts'
import { inWindows } from '../../platform/store/in-windows.ts'
import { restoreStates } from '../reports/restore-states.ts'
import { createStateMark } from '../reports/state-mark.ts'
import type { StoreBatch } from '../../platform/store/batch-collector.ts'
import { createWriteBehind } from '../../platform/store/write-behind.ts'
import type { CommandDocument, CommandState } from '../commands/command.model.ts'

/** Longer than a board usually takes to answer, and too short for anybody to notice in the log. */
const gatherMs = 25

/** May be slow: screens update at once, boards repeat after a second, and pages read the log a second after a change. */
const calmMs = 500

/** Delays between lookups of a command of another instance, which is stored shortly after it was sent. 1.3 s in total. */
const lookAgainMs = [0, 10, 20, 40, 80, 160, 320, 640]

/** A board repeats a report until it is acknowledged, so its row is among the newest. */
const logRowsSearched = 100

export type NewCommand = { kind: 'insert'; row: CommandDocument }
export type EndedCommand = { kind: 'end'; id: string; state: CommandState; endedAt: Date; reason?: string }
type CommandChange = NewCommand | EndedCommand

/** Stores reports and commands in batches, directly through the driver: every field was validated on its way in. */
export function createDeviceStore(options: {
  devices: Model<DeviceDocument>
  actionLogs: Model<ActionLogDocument>
  commands: Model<CommandDocument>
  log: Logger
  /** Whether other api instances write to the same boards. */
  isClustered: boolean
  /** Whether other instances are told what this one receives. If not, they receive it themselves, and look up its cause here. */
  areOthersNotified(): boolean
  onQueue?(length: number): void
}) {
  const { devices, actionLogs, commands, log, isClustered, areOthersNotified, onQueue } = options

  // Command ids are strings, which mongoose's own collection type does not support.
  const commandRows = commands.db.collection<CommandDocument>(commands.collection.collectionName)

  /** Whether other instances read the stored commands right away. */
  const isRead = (): boolean => isClustered && !areOthersNotified()

  type Batch = StoreBatch<ActionLogDocument, CommandChange, DeviceFields>
  const mark = createStateMark(commands.db)
  /** By batch: an id that is older than the ids of all rows added after the batch. */
  const cuts = new WeakMap<Batch, Types.ObjectId>()

  async function store(batch: Batch): Promise<void> {
    const cut = cuts.get(batch) ?? new Types.ObjectId()
    cuts.set(batch, cut)
    // Log rows come first: if only the state were stored, the board's repeated report would look outdated.
    await Promise.all([insertLogs(batch.logs), writeCommands(batch.commands)])
    for (const states of inBatches([...batch.states.values()])) {
      await devices.collection.bulkWrite(states.flatMap(isClustered ? guardedUpdates : plainUpdate), { ordered: false })
    }
    if (batch.isWhole && !isClustered) await mark.write(cut)
  }

  async function insertLogs(rows: ActionLogDocument[]): Promise<void> {
    for (const batch of inBatches(rows)) {
      try {
        await actionLogs.collection.insertMany(batch, { ordered: false })
      } catch (error) {
        // The report arrived twice, and its rows exist already.
        if (!isDuplicateOnly(error)) throw error
      }
    }
  }

  async function writeCommands(changes: CommandChange[]): Promise<void> {
    if (changes.length === 0) return
    const rows = new Map<string, CommandDocument>()
    const endings: EndedCommand[] = []
    for (const change of changes) {
      if (change.kind === 'insert') rows.set(change.row._id, change.row)
      else {
        const row = rows.get(change.id)
        if (row === undefined) endings.push(change)
        // Most commands end before their batch is written, so that one insert covers both.
        else rows.set(change.id, { ...row, ...endingOf(change) })
      }
    }
    // A confirmed command is fully described by its log row. It is stored only if another instance may have to look it up here.
    const notified = [...rows.values()].filter(({ state }) => isRead() || state !== 'confirmed')
    for (const batch of inBatches(notified)) {
      try {
        await commandRows.insertMany(batch, { ordered: false })
      } catch (error) {
        if (!isDuplicateOnly(error)) throw error
      }
    }
    for (const batch of inBatches(endings)) {
      await commandRows.bulkWrite(
        batch.map((ending) => ({
          updateOne: { filter: { _id: ending.id, state: 'sent' }, update: { $set: endingOf(ending) } }
        })),
        { ordered: false }
      )
    }
  }

  /** Finds the cause of a report that was stored before a restart but not acknowledged, and is therefore repeated. */
  async function causeInLog(deviceId: string, commandId: string): Promise<ChangeCause | undefined> {
    const newest = await actionLogs
      .find({ deviceId }, { commandId: 1, cause: 1, from: 1, userName: 1 })
      .sort({ createdAt: -1 })
      .limit(logRowsSearched)
      .lean<Pick<ActionLogDocument, 'commandId' | 'cause' | 'from' | 'userName'>[]>()
    const row = newest.find((each) => each.commandId === commandId)
    return row === undefined ? undefined : (causeOfRow(row) ?? undefined)
  }

  const queue = createWriteBehind({
    store,
    log,
    gatherMs,
    calmMs,
    isCalm: () => !isRead(),
    ...(onQueue === undefined ? {} : { onQueue })
  })

  return {
    ...queue,
    /** In a cluster, other instances read the state from the database, and nothing is restored from the log. */
    setStateLater: isClustered ? queue.setStateCalm : queue.setStateLater,
    /** Returns the id that keeps a row from being stored twice; derived from the report where other instances receive it too. */
    rowId: (deviceId: string, report: ReportName, switchIndex: number): Types.ObjectId =>
      isClustered ? sharedRowId(deviceId, report, switchIndex) : new Types.ObjectId(),
    /** Returns whether a report is in the log: a repeated one is among its board's newest rows, or near its own `occurredAt`. */
    async isLogged(deviceId: string, { bootId, seq, occurredAt }: DeviceReport): Promise<boolean> {
      const board = { deviceId: new Types.ObjectId(deviceId) }
      const newest = { createdAt: -1 } as const
      const look = (condition: object) =>
        actionLogs
          .find(condition, { report: 1 })
          .sort(newest)
          .limit(logRowsSearched)
          .lean<Pick<ActionLogDocument, 'report'>[]>()
      const dated = occurredAt === undefined ? [] : [look({ ...board, createdAt: { $lte: new Date(occurredAt) } })]
      const rows = (await Promise.all([look(board), ...dated])).flat()
      return rows.some(({ report }) => report?.bootId === bootId && report.seq === seq)
    },
    /** Returns the cause of a command that another instance, or this one before a restart, sent; undefined if there is none. */
    async findCause(deviceId: string, commandId: string): Promise<ChangeCause | undefined> {
      // Without a cluster there is no point in waiting: what this instance sent before a restart is either stored or lost.
      for (const ms of isClustered ? lookAgainMs : [0]) {
        await wait(ms)
        const row = await commands.findById(commandId, { deviceId: 1, cause: 1 }).lean<CommandDocument>()
        if (row !== null) return String(row.deviceId) === deviceId ? row.cause : undefined
      }
      return causeInLog(deviceId, commandId)
    },
    /** Brings boards up to date with the log. In a cluster the stored states are never behind it. */
    async restoreStates(): Promise<number> {
      const restored = await restoreStates({ devices, actionLogs }, await mark.read())
      await (isClustered ? mark.remove() : mark.write(new Types.ObjectId()))
      return restored
    },
    /** Expires pending commands of an api that crashed. */
    expireForgottenCommands(now: Date): Promise<unknown> {
      return commands.updateMany(
        { state: 'sent', expiresAt: { $lt: now } },
        { $set: { state: 'expired', endedAt: now } }
      )
    },
    /** Anonymizes the commands of a deleted account. */
    async forgetPerson(userId: string): Promise<void> {
      for await (const ids of inWindows(commands, { userId })) {
        await commands.updateMany(
          { _id: { $in: ids } },
          { $set: { userId: null }, $unset: { 'cause.userId': 1, 'cause.userName': 1 } }
        )
      }
    }
  }
}
export type DeviceStore = ReturnType<typeof createDeviceStore>

const endingOf = (ending: EndedCommand) => ({
  state: ending.state,
  endedAt: ending.endedAt,
  ...(ending.reason === undefined ? {} : { reason: ending.reason })
})

/** A bulk write reports every refused row; the error is ignored only if all of them are duplicates. */
function isDuplicateOnly(error: unknown): boolean {
  if (!(error instanceof mongo.MongoBulkWriteError)) return isDuplicateKey(error)
  const writeErrors = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors]
  return writeErrors.length > 0 && writeErrors.every(isDuplicateKey)
}
