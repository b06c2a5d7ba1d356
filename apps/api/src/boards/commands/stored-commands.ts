import type { Model } from 'mongoose'
import { inBatches } from '../../platform/store/batches/in-batches.ts'
import { inWindows } from '../../platform/store/batches/in-windows.ts'
import { insertNew } from '../../platform/store/batches/insert-new.ts'
import type { CommandDocument, CommandState } from './command.model.ts'

export interface NewCommand {
  kind: 'insert'
  row: CommandDocument
}
export interface EndedCommand {
  kind: 'end'
  id: string
  state: CommandState
  endedAt: Date
  reason?: string
}
export type CommandChange = NewCommand | EndedCommand

/** Stores commands. `isRead`: whether other instances read the stored commands right away. */
export function createStoredCommands(commands: Model<CommandDocument>, isRead: () => boolean) {
  // Command ids are strings, which mongoose's own collection type does not support.
  const collection = commands.db.collection<CommandDocument>(commands.collection.collectionName)

  return {
    async write(changes: readonly CommandChange[]): Promise<void> {
      const { rows, endings } = joined(changes)
      // A confirmed command is fully described by its log row. It is stored only if another instance may have to look it up here.
      await insertNew(
        rows.filter(({ state }) => isRead() || state !== 'confirmed'),
        (batch) => collection.insertMany(batch, { ordered: false })
      )
      for (const batch of inBatches(endings)) {
        await collection.bulkWrite(
          batch.map((ending) => ({
            updateOne: { filter: { _id: ending.id, state: 'sent' }, update: { $set: endingOf(ending) } }
          })),
          { ordered: false }
        )
      }
    },
    /** Expires pending commands of an api that crashed. */
    expireForgotten: (now: Date): Promise<unknown> =>
      commands.updateMany({ state: 'sent', expiresAt: { $lt: now } }, { $set: { state: 'expired', endedAt: now } }),
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

/** Joins commands with their ends. Most end before their batch is written, so that one insert covers both. */
function joined(changes: readonly CommandChange[]): { rows: CommandDocument[]; endings: EndedCommand[] } {
  const rows = new Map<string, CommandDocument>()
  const endings: EndedCommand[] = []
  for (const change of changes) {
    if (change.kind === 'insert') rows.set(change.row._id, change.row)
    else {
      const row = rows.get(change.id)
      if (row === undefined) endings.push(change)
      else rows.set(change.id, { ...row, ...endingOf(change) })
    }
  }
  return { rows: [...rows.values()], endings }
}

const endingOf = (ending: EndedCommand) => ({
  state: ending.state,
  endedAt: ending.endedAt,
  ...(ending.reason === undefined ? {} : { reason: ending.reason })
})
