import type { Connection, Types } from 'mongoose'

interface Mark {
  _id: 'boards'
  /** Keys of the log that were made later may tell of states that are not stored. */
  whole: Types.ObjectId
}

/** Up to where in the log the stored states of boards are whole: what an end without a farewell left undone is after it. */
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
