import { minuteMs } from '@batti/kit/durations'
import type { Connection, Types } from 'mongoose'

interface Mark {
  _id: 'boards'
  /** Log rows with later ids may describe states that are not stored. */
  whole: Types.ObjectId
}

/** A wall clock that is set by more than this needs a new mark: ids contain the time, and are found by it. */
export const clockSetMs = minuteMs

const partsOf = (id: Types.ObjectId) => {
  const hex = id.toHexString()
  return { process: hex.slice(8, 18), count: Number.parseInt(hex.slice(18), 16) }
}
const countRange = 2 ** 24

/**
 * Whether an id was made after the mark, whatever the clock was set to meanwhile: an object id names its process, which
 * counts. Other processes made theirs before, or for rows that were copied.
 */
export function isAfterMark(id: Types.ObjectId, mark: Types.ObjectId): boolean {
  const [one, other] = [partsOf(id), partsOf(mark)]
  const later = (one.count - other.count + countRange) % countRange
  return one.process === other.process && later > 0 && later < countRange / 2
}

/** Marks up to where in the log the stored board states are complete. After a crash, what is missing comes after the mark. */
export function createStateMark(connection: Connection) {
  const marks = connection.collection<Mark>('stateMarks')
  return {
    async read(): Promise<Types.ObjectId | null> {
      return (await marks.findOne({ _id: 'boards' }))?.whole ?? null
    },
    async write(whole: Types.ObjectId): Promise<void> {
      await marks.updateOne({ _id: 'boards' }, { $set: { whole } }, { upsert: true })
    },
    async remove(): Promise<void> {
      await marks.deleteOne({ _id: 'boards' })
    }
  }
}
