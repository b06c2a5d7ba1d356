import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Timestamp } from 'bson'
import type { Document } from '../bson/document.ts'
import { openInProcess, type InProcess } from '../../test/in-process.ts'
import { describeUpdate } from './describe-update.ts'

describe('the change log', () => {
  let db: InProcess
  beforeEach(async () => {
    db = await openInProcess()
    await db.run({ create: 'things' })
  })
  afterEach(() => db.close())

  const watch = async (options: Document = {}): Promise<Document> =>
    db.run({ aggregate: 'things', pipeline: [{ $changeStream: options }], cursor: {} })
  const tokenOf = (answer: Document): unknown => (answer['cursor'] as Document)['postBatchResumeToken']
  const insert = (n: number): Promise<Document> => db.run({ insert: 'things', documents: [{ n }] })

  it('records nothing while nobody watches', async () => {
    await insert(1)
    expect(db.engine.changes.head()).toBe(0)
    await watch()
    await insert(2)
    expect(db.engine.changes.head()).toBe(1)
  })

  it('can be resumed after a restart', async () => {
    const token = tokenOf(await watch())
    await insert(1)
    db.reopen()
    await insert(2)
    const resumed = await watch({ resumeAfter: token })
    expect((resumed['cursor'] as Document)['firstBatch']).toMatchObject([
      { fullDocument: { n: 1 } },
      { fullDocument: { n: 2 } }
    ])
  })

  it('can be resumed with the first token of a stream that was opened while a write was being stored', async () => {
    await db.run({ aggregate: 'others', pipeline: [{ $changeStream: {} }], cursor: {} })
    const other = db.run({ insert: 'others', documents: [{ n: 0 }] })
    const token = tokenOf(await watch())
    await other
    await insert(1)
    const resumed = await watch({ resumeAfter: token })
    expect(resumed).toMatchObject({ ok: 1, cursor: { firstBatch: [{ fullDocument: { n: 1 } }] } })
  })

  it('starts at a time after its newest change without what came before', async () => {
    await watch()
    await insert(1)
    const { operationTime } = await db.run({ insert: 'others', documents: [{ n: 0 }] })
    expect(await watch({ startAtOperationTime: operationTime })).toMatchObject({ ok: 1, cursor: { firstBatch: [] } })
  })

  it('shows a stream opened after a restart nothing from before', async () => {
    await watch()
    await insert(1)
    db.reopen()
    const begun = await watch()
    await insert(2)
    const { id } = begun['cursor'] as Document
    expect(await db.run({ getMore: id, collection: 'things' })).toMatchObject({
      cursor: { nextBatch: [{ fullDocument: { n: 2 } }] }
    })
    const again = await watch({ resumeAfter: tokenOf(begun) })
    expect((again['cursor'] as Document)['firstBatch']).toMatchObject([{ fullDocument: { n: 2 } }])
  })

  it('can be resumed for a database and for its collections', async () => {
    const stream = (options: Document): Promise<Document> =>
      db.run({ aggregate: 1, pipeline: [{ $changeStream: options }], cursor: {} })
    const token = tokenOf(await stream({}))
    await insert(1)
    for (const resumed of [await stream({ resumeAfter: token }), await watch({ resumeAfter: token })])
      expect(resumed).toMatchObject({ ok: 1, cursor: { firstBatch: [{ fullDocument: { n: 1 } }] } })
  })

  it('is not written to by its readers, but once an hour, so that it is known to be read', async () => {
    await db.close()
    let now = 1_000_000
    db = await openInProcess({ now: () => now })
    const resumeAfter = tokenOf(await watch())
    const writesOfReads = async (): Promise<number> => {
      const before = db.engine.store.writes()
      for (let reads = 0; reads < 3; reads++) await watch({ resumeAfter })
      return db.engine.store.writes() - before
    }
    for (let hours = 0; hours < 2; hours++) {
      now += 3_599_999
      expect(await writesOfReads()).toBe(0)
      now += 1
      expect(await writesOfReads()).toBe(1)
    }
  })

  it('ends a stream when its collection is dropped; a stream that asks for it continues with a new one of that name', async () => {
    const { id } = (await watch())['cursor'] as Document
    await db.run({ drop: 'things' })
    await insert(1)
    const told = (await db.run({ getMore: id, collection: 'things' }))['cursor'] as Document
    expect(told).toMatchObject({ nextBatch: [{ operationType: 'drop' }, { operationType: 'invalidate' }] })
    expect(String(told['id'])).toBe('0')
    const { _id: end } = (told['nextBatch'] as Document[])[1] as Document
    expect(await watch({ resumeAfter: end })).toMatchObject({ ok: 0, code: 260 })
    expect(await watch({ startAfter: end })).toMatchObject({ cursor: { firstBatch: [{ fullDocument: { n: 1 } }] } })
  })

  it('cannot be resumed from a position that it has not reached', async () => {
    const token = tokenOf(await watch()) as Document
    await insert(1)
    const later = tokenOf(await watch()) as Document
    expect(later).not.toEqual(token)
    const future = { _data: String(later['_data']).replace(/.$/, 'f') }
    expect(await watch({ resumeAfter: future })).toMatchObject({ ok: 0, code: 260 })
  })

  it('is read from the first change at a time on', async () => {
    await watch()
    const times: unknown[] = []
    for (let n = 1; n <= 3; n++) times.push((await insert(n))['operationTime'])
    expect(await watch({ startAtOperationTime: times[1] })).toMatchObject({
      cursor: { firstBatch: [{ fullDocument: { n: 2 } }, { fullDocument: { n: 3 } }] }
    })
  })

  it.each<[string, Document, Document]>([
    ['is renamed', { renameCollection: 'test.things', to: 'test.others' }, { operationType: 'rename' }],
    ['goes with its database', { dropDatabase: 1 }, { operationType: 'drop' }]
  ])('ends a stream when its collection %s', async (_how, command, told) => {
    const { id } = (await watch())['cursor'] as Document
    expect(await db.run(command)).toMatchObject({ ok: 1 })
    const batch = (await db.run({ getMore: id, collection: 'things' }))['cursor'] as Document
    expect(batch).toMatchObject({ nextBatch: [told, { operationType: 'invalidate' }] })
    expect(String(batch['id'])).toBe('0')
  })

  it('ends a stream of a database when that is dropped', async () => {
    const begun = await db.run({ aggregate: 1, pipeline: [{ $changeStream: {} }], cursor: {} })
    await db.run({ dropDatabase: 1 })
    const { id } = begun['cursor'] as Document
    expect(await db.run({ getMore: id, collection: '$cmd.aggregate' })).toMatchObject({
      cursor: {
        nextBatch: [{ operationType: 'drop' }, { operationType: 'dropDatabase' }, { operationType: 'invalidate' }]
      }
    })
  })

  it.each<[string, Document]>([
    ['renamed', { renameCollection: 'test.things', to: 'test.others' }],
    ['dropped with its database', { dropDatabase: 1 }]
  ])('records nothing of a collection that nobody watches and that is %s', async (_how, command) => {
    await db.run({ aggregate: 'watched', pipeline: [{ $changeStream: {} }], cursor: {} })
    expect(await db.run(command)).toMatchObject({ ok: 1 })
    expect(db.engine.changes.head()).toBe(0)
  })

  it('shows no change before it is on the disk', async () => {
    let isSlow = false
    const syncs: (() => void)[] = []
    const slow = await openInProcess({
      syncFile: (_, done) => void (isSlow ? syncs.push(() => done(null)) : setImmediate(done, null))
    })
    const add = (n: number): Promise<Document> => slow.run({ insert: 'things', documents: [{ n }] })
    const begun = await slow.run({ aggregate: 'things', pipeline: [{ $changeStream: {} }], cursor: {} })
    await add(1)
    isSlow = true
    const written = add(2)
    while (syncs.length === 0) await new Promise(setImmediate)
    expect(slow.engine.store.writer.get('SELECT count(*) FROM changes')).toEqual([2])
    expect(slow.engine.changes.read(0, 10)).toHaveLength(1)
    syncs[0]?.()
    await written
    const { id } = begun['cursor'] as Document
    expect(await slow.run({ getMore: id, collection: 'things' })).toMatchObject({
      cursor: { nextBatch: [{ fullDocument: { n: 1 } }, { fullDocument: { n: 2 } }] }
    })
    isSlow = false
    await slow.close()
  })

  it('ends a wait for the next change when the reader is gone, before or while it waits', async () => {
    const gone = new AbortController()
    const waiting = db.engine.changes.next(gone.signal, 2 ** 31 - 1)
    gone.abort()
    await waiting
    await db.engine.changes.next(gone.signal, 2 ** 31 - 1)
  })

  it('refuses documents that it does not store, if they are required', async () => {
    expect(await watch({ fullDocumentBeforeChange: 'required' })).toMatchObject({ ok: 0, code: 115 })
    expect(await watch({ fullDocument: 'required' })).toMatchObject({ ok: 0, code: 115 })
  })

  it('is read from any position with one prepared statement, since each is kept for the life of the process', async () => {
    await watch()
    const times: Timestamp[] = []
    for (let n = 0; n < 3; n++) times.push((await insert(n))['operationTime'] as Timestamp)
    const [first, ...later] = times
    await watch({ startAtOperationTime: first })
    const prepared = vi.spyOn(db.engine.store.writer.database, 'prepare')
    for (const startAtOperationTime of later) expect(await watch({ startAtOperationTime })).toMatchObject({ ok: 1 })
    expect(prepared.mock.calls.filter(([sql]) => sql.includes('FROM changes'))).toEqual([])
  })

  it('stores the scope of the first stream that opens after one whose commit was rolled back', async () => {
    db.engine.changes.watch({ kind: 'collection', name: 'test.things' })
    db.engine.store.abandon(new Error('the disk was full'))
    const token = tokenOf(await watch())
    await insert(1)
    db.reopen()
    expect(await watch({ resumeAfter: token })).toMatchObject({ cursor: { firstBatch: [{ fullDocument: { n: 1 } }] } })
  })

  it('forgets the position of a scope that was not read for a day', async () => {
    let now = 1_700_000_000_000
    const clocked = await openInProcess({ now: () => now, monotonic: () => now })
    await clocked.run({ create: 'things' })
    const token = tokenOf(await clocked.run({ aggregate: 'things', pipeline: [{ $changeStream: {} }], cursor: {} }))
    clocked.engine.cursors.closeWhere(() => true)
    now += 25 * 60 * 60_000
    clocked.engine.changes.prune()
    await clocked.run({ insert: 'things', documents: [{ n: 1 }] })
    expect(
      await clocked.run({ aggregate: 'things', pipeline: [{ $changeStream: { resumeAfter: token } }], cursor: {} })
    ).toMatchObject({ code: 286 })
    await clocked.close()
  })

  it('keeps the place of a scope that is being read where the wall clock is set forward', async () => {
    let now = 1_700_000_000_000
    const clocked = await openInProcess({ now: () => now })
    await clocked.run({ create: 'things' })
    const token = tokenOf(await clocked.run({ aggregate: 'things', pipeline: [{ $changeStream: {} }], cursor: {} }))
    now += 25 * 60 * 60_000
    clocked.engine.changes.prune()
    expect(
      await clocked.run({ aggregate: 'things', pipeline: [{ $changeStream: { resumeAfter: token } }], cursor: {} })
    ).toMatchObject({ ok: 1 })
    await clocked.close()
  })

  it('keeps the place of a scope that is read now and then, across a restart too', async () => {
    let now = 1_700_000_000_000
    const clocked = await openInProcess({ now: () => now, monotonic: () => now })
    await clocked.run({ create: 'things' })
    const stream = (options: Document): Promise<Document> =>
      clocked.run({ aggregate: 'things', pipeline: [{ $changeStream: options }], cursor: {} })
    const token = tokenOf(await stream({}))
    now += 23 * 60 * 60_000
    await stream({ resumeAfter: token })
    clocked.reopen()
    now += 23 * 60 * 60_000
    clocked.engine.changes.prune()
    expect(await stream({ resumeAfter: token })).toMatchObject({ ok: 1 })
    await clocked.close()
  })
})

describe('the description of an update', () => {
  it('names the fields that operators changed', () => {
    expect(
      describeUpdate({ a: 1, b: { c: 1 }, d: 1, v: [1] }, { a: 2, b: { c: 1 }, v: [1, 2] }, [
        ['a'],
        ['b', 'c'],
        ['d'],
        ['v']
      ])
    ).toEqual({
      updatedFields: { a: 2, 'v.1': 2 },
      removedFields: ['d'],
      truncatedArrays: []
    })
  })

  it('names a field that was created with everything below it, and a list that was none as a whole', () => {
    expect(
      describeUpdate({ a: {}, t: 'x' }, { a: { b: { c: 1, d: 2 } }, t: ['x', 'y'], z: { v: [1] } }, [
        ['a', 'b', 'c'],
        ['a', 'b', 'd'],
        ['t'],
        ['z', 'v']
      ])
    ).toMatchObject({ updatedFields: { 'a.b': { c: 1, d: 2 }, t: ['x', 'y'], z: { v: [1] } }, removedFields: [] })
  })

  it('compares the documents where the changed fields are not known', () => {
    expect(
      describeUpdate({ a: { b: 1, c: 2 }, v: [1, 2, 3], gone: 1 }, { a: { b: 1, c: 3 }, v: [1, 5], fresh: 1 }, null)
    ).toEqual({
      updatedFields: { 'a.c': 3, 'v.1': 5, fresh: 1 },
      removedFields: ['gone'],
      truncatedArrays: [{ field: 'v', newSize: 2 }]
    })
  })
})
