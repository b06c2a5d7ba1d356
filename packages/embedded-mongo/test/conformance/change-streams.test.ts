import type { ChangeStream, Document } from 'mongodb'
import { afterEach, describe, expect, it } from 'vitest'
import { errorOf, startBattery } from './battery.ts'

const battery = startBattery()
const open: ChangeStream[] = []

async function watch(
  on: { watch(pipeline: Document[], options: object): ChangeStream },
  pipeline: Document[] = [],
  options: object = {}
): Promise<ChangeStream> {
  const stream = on.watch(pipeline, options)
  open.push(stream)
  // The first read opens the cursor; later events are reported. A resumed stream would lose an event to it.
  if (!('resumeAfter' in options || 'startAfter' in options)) await stream.tryNext()
  return stream
}
const next = async (stream: ChangeStream): Promise<Document> => stream.next()

afterEach(async () => {
  for (const stream of open.splice(0)) await stream.close()
})

describe('change streams', () => {
  it('report inserts, updates, replacements and deletions in order', async () => {
    const stream = await watch(battery.things)
    await battery.things.insertOne({ _id: 1 as never, a: 1, list: [1], gone: 1 })
    await battery.things.updateOne({ _id: 1 as never }, { $set: { a: 2, 'b.c': 3 }, $unset: { gone: 1 } })
    await battery.things.replaceOne({ _id: 1 as never }, { z: 1 })
    await battery.things.deleteOne({ _id: 1 as never })
    const namespace = { db: battery.db.databaseName, coll: 'things' }
    expect(await next(stream)).toMatchObject({
      operationType: 'insert',
      fullDocument: { _id: 1, a: 1, list: [1], gone: 1 },
      documentKey: { _id: 1 },
      ns: namespace
    })
    const update = await next(stream)
    expect(update).toMatchObject({
      operationType: 'update',
      updateDescription: { updatedFields: { a: 2 }, removedFields: ['gone'], truncatedArrays: [] }
    })
    expect(update['fullDocument']).toBeUndefined()
    expect(await next(stream)).toMatchObject({ operationType: 'replace', fullDocument: { _id: 1, z: 1 } })
    const last = await next(stream)
    expect(last).toMatchObject({ operationType: 'delete', documentKey: { _id: 1 } })
    expect(last['clusterTime']?._bsontype).toBe('Timestamp')
  })

  it('look up the whole document on request', async () => {
    await battery.things.insertOne({ _id: 1 as never, a: 1, b: 1 })
    const stream = await watch(battery.things, [], { fullDocument: 'updateLookup' })
    await battery.things.updateOne({ _id: 1 as never }, { $inc: { a: 1 } })
    expect(await next(stream)).toMatchObject({ operationType: 'update', fullDocument: { _id: 1, a: 2, b: 1 } })
  })

  it('resume after the token of the last event, and after the token of an empty batch', async () => {
    const stream = await watch(battery.things)
    await battery.things.insertMany([{ n: 1 }, { n: 2 }, { n: 3 }])
    const first = await next(stream)
    await stream.close()
    const resumed = await watch(battery.things, [], { resumeAfter: first['_id'] })
    expect((await next(resumed))['fullDocument']).toMatchObject({ n: 2 })
    expect((await next(resumed))['fullDocument']).toMatchObject({ n: 3 })
    await resumed.tryNext()
    const token = resumed.resumeToken
    await resumed.close()
    await battery.things.insertOne({ n: 4 })
    const again = await watch(battery.things, [], { startAfter: token })
    expect((await next(again))['fullDocument']).toMatchObject({ n: 4 })
  })

  it('filter and transform their events', async () => {
    const stream = await watch(battery.things, [
      { $match: { operationType: 'insert', 'fullDocument.n': { $gt: 1 } } },
      { $project: { 'fullDocument.n': 1 } }
    ])
    await battery.things.insertMany([{ n: 1 }, { n: 2 }])
    expect(Object.keys(await next(stream)).toSorted()).toEqual(['_id', 'fullDocument'])
  })

  it('watch a database, whatever its collections', async () => {
    const stream = await watch(battery.db)
    await battery.db.collection('a').insertOne({ n: 1 })
    await battery.db.collection('b').insertOne({ n: 2 })
    const received = [await next(stream), await next(stream)].map(({ ns, fullDocument }) => [
      ns.coll as string,
      fullDocument.n as number
    ])
    expect(received).toEqual([
      ['a', 1],
      ['b', 2]
    ])
  })

  it('report a transaction whole, when it is committed', async () => {
    const stream = await watch(battery.things)
    const session = battery.client.startSession()
    session.startTransaction()
    await battery.things.insertOne({ n: 1 }, { session })
    await battery.things.insertOne({ n: 2 }, { session })
    await battery.things.insertOne({ n: 0 })
    await session.commitTransaction()
    await session.endSession()
    const received = [await next(stream), await next(stream), await next(stream)].map(
      ({ fullDocument }) => fullDocument.n as number
    )
    expect(received).toEqual([0, 1, 2])
  })

  it('end when their collection is dropped', async () => {
    const stream = await watch(battery.things)
    await battery.things.drop()
    expect(await next(stream)).toMatchObject({ operationType: 'drop' })
    expect(await next(stream)).toMatchObject({ operationType: 'invalidate' })
  })

  it('refuse stages that need more than one event, and invalid tokens', async () => {
    expect(await errorOf(watch(battery.things, [{ $group: { _id: null } }]))).toMatchObject({ code: 20 })
    const bogus = await watch(battery.things, [], { resumeAfter: { _data: 'bogus' } })
    expect(await errorOf(bogus.tryNext())).toBeDefined()
  })
})
