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

/** Longer than a board usually takes to answer, shorter than anybody waits for the log. */
const gatherMs = 25

/** Screens know at once, a board sends again only after a second, and pages ask for the log a second after a change. */
const calmMs = 500

/** When a command of another instance is looked for: it is stored a moment after it was sent. Together 1.3 s. */
const lookAgainMs = [0, 10, 20, 40, 80, 160, 320, 640]

/** A board repeats a report for as long as it is not acknowledged: its row is among the newest. */
const logRowsSearched = 100

export type NewCommand = { kind: 'insert'; row: CommandDocument }
export type EndedCommand = { kind: 'end'; id: string; state: CommandState; endedAt: Date; reason?: string }
type CommandChange = NewCommand | EndedCommand

/** Stores what boards and commands do, in batches, straight through the driver: every field was parsed on its way in. */
export function createDeviceStore(options: {
  devices: Model<DeviceDocument>
  actionLogs: Model<ActionLogDocument>
  commands: Model<CommandDocument>
  log: Logger
  /** Other api instances write to the same boards. */
  isClustered: boolean
  /** They are told what this one hears; else they hear it themselves, and look here for why it happened. */
  areOthersNotified(): boolean
  onQueue?(length: number): void
}) {
  const { devices, actionLogs, commands, log, isClustered, areOthersNotified, onQueue } = options

  // Ids of commands are text, which mongoose's own collection type does not know.
  const commandRows = commands.db.collection<CommandDocument>(commands.collection.collectionName)

  /** Other instances read at once what is stored here. */
  const isRead = (): boolean => isClustered && !areOthersNotified()

  type Batch = StoreBatch<ActionLogDocument, CommandChange, DeviceFields>
  const mark = createStateMark(commands.db)
  /** Keys made before whatever came after the batch. */
  const cuts = new WeakMap<Batch, Types.ObjectId>()

  async function store(batch: Batch): Promise<void> {
    const cut = cuts.get(batch) ?? new Types.ObjectId()
    cuts.set(batch, cut)
    // Log rows first: a state that were stored alone would make the board's repeated report look like an old one.
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
        // A report that came twice: its rows are there already.
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
        // Most commands end before their batch is written: one insert then tells the whole story.
        else rows.set(change.id, { ...row, ...endingOf(change) })
      }
    }
    // A confirmed command is told whole by its row in the log; another instance may have to look for it here.
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

  /** A report that was stored before the api was started again, and not acknowledged, comes once more. */
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
    /** Other instances read from the database what they were not told, and restore nothing from the log. */
    setStateLater: isClustered ? queue.setStateCalm : queue.setStateLater,
    /** What keeps a row from being stored twice: its key, where other instances hear the board too. */
    rowId: (deviceId: string, report: ReportName, switchIndex: number): Types.ObjectId =>
      isClustered ? sharedRowId(deviceId, report, switchIndex) : new Types.ObjectId(),
    /** Whether a report stands in the log already: a repeated one is among its board's newest, or where it dates itself. */
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
    /** The cause of a command to this board that another instance, or an earlier life of this one, sent; undefined: none did. */
    async findCause(deviceId: string, commandId: string): Promise<ChangeCause | undefined> {
      // What this instance sent before it was started again is stored, or lost.
      for (const ms of isClustered ? lookAgainMs : [0]) {
        await wait(ms)
        const row = await commands.findById(commandId, { deviceId: 1, cause: 1 }).lean<CommandDocument>()
        if (row !== null) return String(row.deviceId) === deviceId ? row.cause : undefined
      }
      return causeInLog(deviceId, commandId)
    },
    /** Brings boards up to what the log says of them; with other instances the states in the database are never behind. */
    async restoreStates(): Promise<number> {
      const restored = await restoreStates({ devices, actionLogs }, await mark.read())
      await (isClustered ? mark.remove() : mark.write(new Types.ObjectId()))
      return restored
    },
    /** Commands of an api that died with them under way: their time is over. */
    expireForgottenCommands(now: Date): Promise<unknown> {
      return commands.updateMany(
        { state: 'sent', expiresAt: { $lt: now } },
        { $set: { state: 'expired', endedAt: now } }
      )
    },
    /** Somebody whose account goes: their commands no longer say who it was. */
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

/** A bulk write reports each refused row; only rows that stand there already may be passed over. */
function isDuplicateOnly(error: unknown): boolean {
  if (!(error instanceof mongo.MongoBulkWriteError)) return isDuplicateKey(error)
  const writeErrors = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors]
  return writeErrors.length > 0 && writeErrors.every(isDuplicateKey)
}
