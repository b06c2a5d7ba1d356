import { Long, MongoServerError, UUID, type ClientSession } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { until } from '@batti/kit/testing'
import { errorOf, startBattery } from './battery.ts'

const battery = startBattery()

async function withSession<T>(run: (session: ClientSession) => Promise<T>): Promise<T> {
  const session = battery.client.startSession()
  try {
    return await run(session)
  } finally {
    await session.endSession()
  }
}
const one = (_id: unknown): { _id: never } => ({ _id: _id as never })

describe('transactions', () => {
  it('see their own writes, and show them to others all at once', async () => {
    await battery.things.insertMany([
      { ...one(1), n: 1 },
      { ...one(2), n: 2 }
    ])
    await withSession(async (session) => {
      session.startTransaction()
      await battery.things.insertOne({ ...one(3), n: 3 }, { session })
      await battery.things.updateOne(one(1), { $set: { n: 10 } }, { session })
      await battery.things.deleteOne(one(2), { session })
      expect(await battery.things.find({}, { session }).sort({ _id: 1 }).toArray()).toEqual([
        { _id: 1, n: 10 },
        { _id: 3, n: 3 }
      ])
      expect(await battery.things.countDocuments({ n: { $gte: 3 } }, { session })).toBe(2)
      expect(await battery.things.find().sort({ _id: 1 }).toArray()).toEqual([
        { _id: 1, n: 1 },
        { _id: 2, n: 2 }
      ])
      await session.commitTransaction()
      expect(await battery.things.find().sort({ _id: 1 }).toArray()).toEqual([
        { _id: 1, n: 10 },
        { _id: 3, n: 3 }
      ])
    })
  })

  it('read their own writes through an index, in its order and page by page', async () => {
    await battery.things.createIndex({ n: 1 })
    await battery.things.insertMany([1, 2, 3, 4, 5].map((n) => ({ ...one(n), n })))
    await withSession(async (session) => {
      session.startTransaction()
      await battery.things.insertOne({ ...one(6), n: 2.5 }, { session })
      await battery.things.updateOne(one(3), { $set: { n: 9 } }, { session })
      await battery.things.deleteOne(one(4), { session })
      const found = (page: object): Promise<unknown> =>
        battery.things.find({ n: { $gte: 2, $lte: 5 } }, { session, sort: { n: 1 }, ...page }).toArray()
      expect(await found({})).toMatchObject([{ n: 2 }, { n: 2.5 }, { n: 5 }])
      expect(await found({ skip: 2, limit: 1 })).toMatchObject([{ n: 5 }])
      await session.abortTransaction()
    })
  })

  it('leave nothing when they are aborted', async () => {
    await battery.things.insertOne({ ...one(1), n: 1 })
    await withSession(async (session) => {
      session.startTransaction()
      await battery.things.updateMany({}, { $set: { n: 5 } }, { session })
      await battery.things.insertOne(one(2), { session })
      await session.abortTransaction()
    })
    expect(await battery.things.find().toArray()).toEqual([{ _id: 1, n: 1 }])
  })

  it('read from one snapshot, whatever others write', async () => {
    await battery.things.insertMany([
      { ...one(1), n: 1 },
      { ...one(2), n: 1 }
    ])
    await withSession(async (session) => {
      session.startTransaction()
      expect(await battery.things.findOne(one(1), { session })).toMatchObject({ n: 1 })
      await battery.things.updateMany({}, { $set: { n: 2 } })
      await battery.things.insertOne({ ...one(3), n: 2 })
      expect(await battery.things.find({ n: 1 }, { session }).toArray()).toHaveLength(2)
      expect(await battery.things.countDocuments({}, { session })).toBe(2)
      await session.commitTransaction()
    })
  })

  it('answer a write conflict to the second writer of a document, with the label to try again', async () => {
    await battery.things.insertOne({ ...one(1), n: 0 })
    await withSession(async (first) =>
      withSession(async (second) => {
        first.startTransaction()
        second.startTransaction()
        await battery.things.updateOne(one(1), { $inc: { n: 1 } }, { session: first })
        const error = await errorOf(battery.things.updateOne(one(1), { $inc: { n: 1 } }, { session: second }))
        expect(error).toBeInstanceOf(MongoServerError)
        expect(error).toMatchObject({ code: 112, codeName: 'WriteConflict' })
        expect(error['hasErrorLabel']('TransientTransactionError')).toBe(true)
        await first.commitTransaction()
        expect(await errorOf(second.commitTransaction())).toMatchObject({ code: 251 })
      })
    )
    expect(await battery.things.findOne()).toMatchObject({ n: 1 })
  })

  it('answer a write conflict for a document that was changed after their snapshot', async () => {
    await battery.things.insertMany([{ ...one(1), n: 0 }, one(2)])
    await withSession(async (session) => {
      session.startTransaction()
      await battery.things.findOne(one(2), { session })
      await battery.things.updateOne(one(1), { $inc: { n: 1 } })
      expect(await errorOf(battery.things.updateOne(one(1), { $inc: { n: 1 } }, { session }))).toMatchObject({
        code: 112
      })
      await session.abortTransaction().catch(() => {})
    })
  })

  it('make single writes wait for their end', async () => {
    await battery.things.insertOne({ ...one(1), n: 0 })
    await withSession(async (session) => {
      session.startTransaction()
      await battery.things.updateOne(one(1), { $inc: { n: 1 } }, { session })
      let done = false
      const waiting = battery.things.updateOne(one(1), { $inc: { n: 10 } }).then(() => {
        done = true
      })
      await battery.things.findOne(one(1))
      expect(done).toBe(false)
      await session.commitTransaction()
      await waiting
    })
    expect(await battery.things.findOne()).toMatchObject({ n: 11 })
  })

  it('reserve unique keys against each other', async () => {
    await battery.things.createIndex({ key: 1 }, { unique: true })
    await battery.things.insertOne({ key: 'taken' })
    await withSession(async (session) => {
      session.startTransaction()
      expect(await errorOf(battery.things.insertOne({ key: 'taken' }, { session }))).toMatchObject({ code: 11000 })
      await session.abortTransaction().catch(() => {})
    })
    await withSession(async (first) =>
      withSession(async (second) => {
        first.startTransaction()
        second.startTransaction()
        await battery.things.insertOne({ key: 'new' }, { session: first })
        expect(await errorOf(battery.things.insertOne({ key: 'new' }, { session: second }))).toMatchObject({
          code: 112
        })
        await first.commitTransaction()
        await second.abortTransaction().catch(() => {})
      })
    )
    await withSession(async (session) => {
      session.startTransaction()
      await battery.things.findOne({}, { session })
      await battery.things.insertOne({ key: 'since' })
      expect(await errorOf(battery.things.insertOne({ key: 'since' }, { session }))).toMatchObject({ code: 112 })
      await session.abortTransaction().catch(() => {})
    })
    await withSession(async (session) => {
      session.startTransaction()
      await battery.things.deleteOne({ key: 'taken' }, { session })
      await battery.things.insertOne({ key: 'taken', again: true }, { session })
      await battery.things.updateOne({ key: 'taken' }, { $set: { key: 'left' } }, { session })
      await battery.things.insertOne({ key: 'taken', third: true }, { session })
      await session.commitTransaction()
    })
    expect(await battery.things.find({ key: 'taken' }).toArray()).toMatchObject([{ third: true }])
    expect(await battery.things.find({ key: 'left' }).toArray()).toMatchObject([{ again: true }])
  })

  it('succeed with the retries of withTransaction, however many compete', async () => {
    await battery.things.insertMany([
      { ...one('a'), n: 100 },
      { ...one('b'), n: 0 }
    ])
    await Promise.all(
      Array.from({ length: 10 }, () =>
        withSession((session) =>
          session.withTransaction(async () => {
            const from = await battery.things.findOne(one('a'), { session })
            await battery.things.updateOne(one('a'), { $set: { n: Number(from?.['n']) - 5 } }, { session })
            await battery.things.updateOne(one('b'), { $inc: { n: 5 } }, { session })
          })
        )
      )
    )
    expect(await battery.things.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'a', n: 50 },
      { _id: 'b', n: 50 }
    ])
  })

  it('may be committed twice: the second answer is the first', async () => {
    await withSession(async (session) => {
      session.startTransaction()
      await battery.things.insertOne(one(1), { session })
      await session.commitTransaction()
      await session.commitTransaction()
    })
    expect(await battery.things.countDocuments()).toBe(1)
  })

  it('span several collections, new ones too', async () => {
    await battery.db.createCollection('others')
    await withSession(async (session) => {
      session.startTransaction()
      await battery.things.insertOne(one(1), { session })
      await battery.db.collection('others').insertOne(one(1), { session })
      await battery.db.collection('brand-new').insertOne(one(1), { session })
      await session.commitTransaction()
    })
    expect(
      await Promise.all(['things', 'others', 'brand-new'].map((name) => battery.db.collection(name).countDocuments()))
    ).toEqual([1, 1, 1])
  })

  it('run aggregations, findAndModify and bulk writes', async () => {
    await battery.things.insertMany([
      { ...one(1), n: 1 },
      { ...one(2), n: 2 }
    ])
    await withSession(async (session) => {
      session.startTransaction()
      await battery.things.bulkWrite(
        [
          { insertOne: { document: { ...one(3), n: 3 } } },
          { updateOne: { filter: one(1), update: { $inc: { n: 9 } } } }
        ],
        { session }
      )
      expect(
        await battery.things.findOneAndUpdate(one(2), { $inc: { n: 1 } }, { session, returnDocument: 'after' })
      ).toMatchObject({ n: 3 })
      const sum = await battery.things.aggregate([{ $group: { _id: null, n: { $sum: '$n' } } }], { session }).toArray()
      expect(sum).toEqual([{ _id: null, n: 16 }])
      await session.commitTransaction()
    })
  })

  it('refuse commands that are not allowed in one', async () => {
    await withSession(async (session) => {
      session.startTransaction()
      expect(await errorOf(battery.db.command({ count: 'things' }, { session }))).toMatchObject({ code: 263 })
      await session.abortTransaction().catch(() => {})
    })
  })
})

describe('retryable writes', () => {
  it('are carried out once, however often they are sent', async () => {
    await battery.things.insertOne({ ...one(1), n: 0 })
    const lsid = { id: new UUID() }
    const increment = { update: 'things', updates: [{ q: { _id: 1 }, u: { $inc: { n: 1 } } }] }
    expect(await sendRaw(lsid, 500, increment)).toMatchObject({ n: 1, nModified: 1 })
    expect(await sendRaw(lsid, 500, increment)).toMatchObject({ n: 1, nModified: 1 })
    expect(await battery.things.findOne()).toMatchObject({ n: 1 })
    const claim = { findAndModify: 'things', query: { _id: 1 }, update: { $inc: { n: 1 } }, new: true }
    expect(await sendRaw(lsid, 501, claim)).toMatchObject({ value: { n: 2 } })
    expect(await sendRaw(lsid, 501, claim)).toMatchObject({ value: { n: 2 } })
    expect(await battery.things.findOne()).toMatchObject({ n: 2 })
    expect(await errorOf(sendRaw(lsid, 499, increment))).toMatchObject({ code: 225 })
  })

  it('complete a batch that was carried out in part', async () => {
    const lsid = { id: new UUID() }
    const insert = (documents: object[]): object => ({ insert: 'things', documents, ordered: true })
    await sendRaw(lsid, 1, insert([{ _id: 1 }]))
    expect(await sendRaw(lsid, 1, insert([{ _id: 1 }, { _id: 2 }]))).toMatchObject({ n: 2 })
    expect(await battery.things.countDocuments()).toBe(2)
  })

  /** A write with a session and transaction number of our own, as the driver sends when an answer was lost. */
  const sendRaw = async (lsid: { id: UUID }, txnNumber: number, command: object): Promise<unknown> => {
    const other = await battery.connect({ maxPoolSize: 1, retryWrites: false })
    const session = other.startSession()
    Object.defineProperty(session, 'serverSession', {
      value: { id: lsid, txnNumber: 0, isDirty: true, lastUse: 0, hasTimedOut: () => true }
    })
    return other.db(battery.db.databaseName).command({ ...command, txnNumber: Long.fromNumber(txnNumber) }, { session })
  }
})

describe('cursors', () => {
  it('return batches of the requested size, and end', async () => {
    await battery.things.insertMany(Array.from({ length: 250 }, (_, n) => ({ n })))
    expect(await battery.things.find().sort({ n: 1 }).batchSize(10).toArray()).toHaveLength(250)
    const first = await battery.db.command({ find: 'things', batchSize: 3 })
    expect(first['cursor'].firstBatch).toHaveLength(3)
    const next = await battery.db.command({ getMore: first['cursor'].id, collection: 'things', batchSize: 2 })
    expect(next['cursor'].nextBatch).toHaveLength(2)
    expect(await battery.db.command({ killCursors: 'things', cursors: [first['cursor'].id] })).toMatchObject({
      cursorsKilled: [first['cursor'].id]
    })
    expect(await errorOf(battery.db.command({ getMore: first['cursor'].id, collection: 'things' }))).toMatchObject({
      code: 43
    })
    expect((await battery.db.command({ find: 'things' }))['cursor'].firstBatch).toHaveLength(101)
    expect((await battery.db.command({ find: 'things', batchSize: 0 }))['cursor'].firstBatch).toHaveLength(0)
    expect((await battery.db.command({ find: 'things', limit: 5, singleBatch: true }))['cursor']).toMatchObject({
      firstBatch: { length: 5 }
    })
  })

  it('end after ten idle minutes, except those opened without a time-out', async () => {
    // The time-out itself is tested with a clock beside src/cursors.ts; here: the option is accepted.
    await battery.things.insertMany([{}, {}, {}])
    const cursor = battery.things.find({}, { noCursorTimeout: true, batchSize: 1 })
    expect(await cursor.next()).toBeTruthy()
    await cursor.close()
  })

  it('return no document twice while others insert', async () => {
    await battery.things.insertMany(Array.from({ length: 500 }, (_, n) => ({ ...one(n) })))
    const seen = new Set<unknown>()
    for await (const { _id } of battery.things.find().batchSize(50)) {
      expect(seen.has(_id)).toBe(false)
      seen.add(_id)
      if (seen.size === 100) await battery.things.deleteOne(one(499))
    }
    expect(seen.size).toBe(499)
  })

  it('stop at maxTimeMS', async () => {
    await battery.things.insertMany(Array.from({ length: 20_000 }, (_, n) => ({ n, text: 'x'.repeat(200) })))
    const slow = {
      $expr: {
        $gt: [{ $reduce: { input: { $range: [0, 300] }, initialValue: 0, in: { $add: ['$$value', '$n'] } } }, 1e12]
      }
    }
    expect(await errorOf(battery.things.find(slow).maxTimeMS(50).toArray())).toMatchObject({ code: 50 })
  })
})

describe('a client that disconnects', () => {
  it('releases the locks of its transaction', async () => {
    await battery.things.insertOne({ ...one(1), n: 0 })
    const other = await battery.connect()
    const session = other.startSession()
    session.startTransaction()
    await other
      .db(battery.db.databaseName)
      .collection('things')
      .updateOne(one(1), { $inc: { n: 1 } }, { session })
    await other.close(true)
    await until('the transaction of a client that left has ended', async () => {
      const result = await battery.things.updateOne(one(1), { $inc: { n: 10 } })
      return result.modifiedCount === 1
    })
    expect(await battery.things.findOne()).toMatchObject({ n: 10 })
  })
})
