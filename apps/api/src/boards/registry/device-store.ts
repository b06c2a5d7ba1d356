import { setTimeout as wait } from 'node:timers/promises'
import type { ChangeCause } from '@batti/contracts'
import { mongo, type Model } from 'mongoose'
import type { Logger } from 'pino'
import type { ActionLogDocument } from '../reports/action-log.model.ts'
import type { DeviceDocument } from './device.model.ts'
import { isDuplicateKey } from '../../platform/store/database.ts'
import { inBatches } from '../../platform/store/in-batches.ts'
import { createWriteBehind, type StoreBatch } from '../../platform/store/write-behind.ts'
import type { CommandDocument, CommandState } from '../commands/command.model.ts'

/** Longer than a board usually takes to answer, shorter than anybody waits for the log. */
const gatherMs = 25

/** When a command of another instance is looked for: it is stored a moment after it was sent. Together 1.3 s. */
const lookAgainMs = [0, 10, 20, 40, 80, 160, 320, 640]

/** A board repeats a report for as long as it is not acknowledged: its row is among the newest. */
const logRowsSearched = 100

export type NewCommand = { kind: 'insert'; row: CommandDocument }
export type EndedCommand = { kind: 'end'; id: string; state: CommandState; endedAt: Date; reason?: string }
type CommandChange = NewCommand | EndedCommand
export type DeviceFields = Partial<DeviceDocument> & Pick<DeviceDocument, '_id'>

/** Stores what boards and commands do, in batches, straight through the driver: every field was parsed on its way in. */
export function createDeviceStore(options: {
  devices: Model<DeviceDocument>
  actionLogs: Model<ActionLogDocument>
  commands: Model<CommandDocument>
  log: Logger
  /** Other api instances send commands to the same boards. */
  isShared: boolean
  onQueue?(length: number): void
}) {
  const { devices, actionLogs, commands, log, isShared, onQueue } = options

  // Ids of commands are text, which mongoose's own collection type does not know.
  const commandRows = commands.db.collection<CommandDocument>(commands.collection.collectionName)

  async function store(batch: StoreBatch<ActionLogDocument, CommandChange, DeviceFields>): Promise<void> {
    // Log rows first: a state that were stored alone would make the board's repeated report look like an old one.
    await Promise.all([insertLogs(batch.logs), writeCommands(batch.commands)])
    for (const states of inBatches([...batch.states.values()])) {
      await devices.collection.bulkWrite(
        states.map(({ _id, ...fields }) => ({
          updateOne: { filter: { _id }, update: { $set: fields } }
        })),
        { ordered: false }
      )
    }
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
    const telling = [...rows.values()].filter(({ state }) => isShared || state !== 'confirmed')
    for (const batch of inBatches(telling)) {
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
      .find({ deviceId }, { commandId: 1, cause: 1 })
      .sort({ createdAt: -1 })
      .limit(logRowsSearched)
      .lean<Pick<ActionLogDocument, 'commandId' | 'cause'>[]>()
    return newest.find((row) => row.commandId === commandId)?.cause ?? undefined
  }

  return {
    ...createWriteBehind({ store, log, gatherMs, ...(onQueue === undefined ? {} : { onQueue }) }),
    /** The cause of a command to this board that another instance, or an earlier life of this one, sent; undefined: none did. */
    async findCause(deviceId: string, commandId: string): Promise<ChangeCause | undefined> {
      // What this instance sent before it was started again is stored, or lost.
      for (const ms of isShared ? lookAgainMs : [0]) {
        await wait(ms)
        const row = await commands.findById(commandId, { deviceId: 1, cause: 1 }).lean<CommandDocument>()
        if (row !== null) return String(row.deviceId) === deviceId ? row.cause : undefined
      }
      return causeInLog(deviceId, commandId)
    },
    /** Commands of an api that died with them under way: their time is over. */
    expireForgottenCommands(now: Date): Promise<unknown> {
      return commands.updateMany(
        { state: 'sent', expiresAt: { $lt: now } },
        { $set: { state: 'expired', endedAt: now } }
      )
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
