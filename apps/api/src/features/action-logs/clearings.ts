import type { Connection } from 'mongoose'
import type { Logger } from 'pino'
import { isDoneWithin } from '../../platform/is-done-within.ts'

/** The owner of the rows being deleted (`all` for everybody), and up to when. */
export interface Clearing {
  _id: string
  before: Date
}

/**
 * Clears logs. A long one takes a minute, in many small commands between which reports are stored. Its rows are hidden at
 * once on all instances, and after a crash the next start deletes the rest.
 */
export function createClearings(deps: {
  connection: Connection
  log: Logger
  /** How long a person waits for the deletion; the rows are hidden at once. */
  answerWithinMs: number
  deleteRows(of: Clearing, onDeleted: (count: number) => void): Promise<unknown>
}) {
  const marks = deps.connection.collection<Clearing>('logClearings')

  const failed = (error: unknown): void =>
    deps.log.warn({ err: error }, 'a log could not be cleared completely; the next start continues')

  async function run(clearing: Clearing, onDeleted: (count: number) => void): Promise<void> {
    await deps.deleteRows(clearing, onDeleted)
    await marks.deleteOne({ _id: clearing._id, before: clearing.before })
  }

  return {
    /** Part of the transaction that records who cleared the log. */
    async note(clearing: Clearing): Promise<void> {
      await marks.updateOne({ _id: clearing._id }, { $set: { before: clearing.before } }, { upsert: true })
    },
    /** Returns how many rows are deleted by then; the rest continues in the background. */
    async run(clearing: Clearing): Promise<number> {
      let deleted = 0
      const work = run(clearing, (count) => (deleted += count))
      await isDoneWithin(deps.answerWithinMs, work)
      work.catch(failed)
      return deleted
    },
    /** Continues interrupted clearings, in the background. */
    async resume(): Promise<void> {
      for (const clearing of await marks.find().toArray()) run(clearing, () => undefined).catch(failed)
    },
    /** Returns the time up to which rows of this account, or of everybody, are hidden. */
    async hiddenUntil(userId: string | undefined): Promise<Date | undefined> {
      const whose = userId === undefined ? ['all'] : ['all', userId]
      const found = await marks.find({ _id: { $in: whose } }).toArray()
      return found.map(({ before }) => before).toSorted((a, b) => b.getTime() - a.getTime())[0]
    }
  }
}
export type Clearings = ReturnType<typeof createClearings>
