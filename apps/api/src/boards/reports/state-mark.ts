import type { Connection, Types } from 'mongoose'

interface Mark {
  _id: 'boards'
  /** Log rows with newer ids may describe states that are not stored. */
  whole: Types.ObjectId
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
