import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from 'mongoose'
import type { Logger } from 'pino'

/** Whose rows are being deleted, `all` for everybody's: those up to `before`. */
export interface Clearing {
  _id: string
  before: Date
}

/**
 * Logs that are being cleared. A long one takes a minute, in many small commands between which taps are stored: its rows
 * are hidden from the start, at each instance, and what a stop of the process leaves is deleted after the next start.
 */
export function createClearings(deps: {
  connection: Connection
  log: Logger
  /** A person waits so long for rows to be gone; hidden they are at once. */
  answerWithinMs?: number
  deleteRows(of: Clearing, onDeleted: (count: number) => void): Promise<unknown>
}) {
  const { answerWithinMs = 10_000 } = deps
  const marks = deps.connection.collection<Clearing>('logClearings')

  const failed = (error: unknown): void =>
    deps.log.warn({ err: error }, 'a log could not be cleared to its end: the next start goes on')

  async function run(clearing: Clearing, onDeleted: (count: number) => void): Promise<void> {
    await deps.deleteRows(clearing, onDeleted)
    await marks.deleteOne({ _id: clearing._id, before: clearing.before })
  }

  return {
    /** Part of the transaction that says who cleared the log. */
    async note(clearing: Clearing): Promise<void> {
      await marks.updateOne({ _id: clearing._id }, { $set: { before: clearing.before } }, { upsert: true })
    },
    /** How many rows are gone when it answers; the rest goes on. */
    async run(clearing: Clearing): Promise<number> {
      let deleted = 0
      const work = run(clearing, (count) => (deleted += count))
      await Promise.race([work, wait(answerWithinMs, undefined, { ref: false })])
      work.catch(failed)
      return deleted
    },
    /** Goes on with what a stop has left, beside the start. */
    async resume(): Promise<void> {
      for (const clearing of await marks.find().toArray()) run(clearing, () => undefined).catch(failed)
    },
    /** Rows of this account, or of everybody, are shown when they are later than this. */
    async hiddenUntil(userId: string | undefined): Promise<Date | undefined> {
      const whose = userId === undefined ? ['all'] : ['all', userId]
      const found = await marks.find({ _id: { $in: whose } }).toArray()
      return found.map(({ before }) => before).toSorted((a, b) => b.getTime() - a.getTime())[0]
    }
  }
}
export type Clearings = ReturnType<typeof createClearings>
