import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { Long, UUID } from 'bson'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openInProcess, type InProcess } from '../../test/in-process.ts'
import type { Document } from '../bson/document.ts'
import { openEngine } from '../engine.ts'
import { checkFile } from '../maintenance/integrity.ts'
import { commandsByName } from './registry.ts'

describe('commands', () => {
  let db: InProcess
  beforeEach(async () => {
    db = await openInProcess()
  })
  afterEach(() => db.close())

  const fill = (count: number): Promise<unknown> =>
    db.run({
      insert: 'things',
      documents: Array.from({ length: count }, (_, _id) => ({ _id, n: 0, pad: 'x'.repeat(100) }))
    })

  it('answer like MongoDB for an unknown name, and for one that is not supported here', async () => {
    expect(await db.run({ nope: 1 })).toMatchObject({ ok: 0, code: 59, codeName: 'CommandNotFound' })
    expect(await db.run({ mapReduce: 'things' })).toMatchObject({ ok: 0, code: 115, codeName: 'CommandNotSupported' })
    const sent = { bulkWrite: 1, ops: [], nsInfo: [], lsid: { id: new UUID() }, txnNumber: Long.fromNumber(1) }
    expect(await db.run(sent)).toMatchObject({ code: 115 })
    expect(await db.run({ ...sent, startTransaction: true, autocommit: false })).toMatchObject({ code: 115 })
    expect([...commandsByName.keys()]).toContain('findAndModify')
  })

  it('that change a collection in an unsupported way are refused with the reason', async () => {
    await db.run({ create: 'things' })
    await db.run({ createIndexes: 'things', indexes: [{ key: { a: 1 }, name: 'a_1' }] })
    expect(await db.run({ collMod: 'things', validator: { a: 1 } })).toMatchObject({ ok: 0, code: 115 })
    expect(await db.run({ collMod: 'things', index: { name: 'a_1', unique: true } })).toMatchObject({ code: 115 })
    expect(await db.run({ aggregate: 'things', pipeline: [], cursor: {}, explain: true })).toMatchObject({ code: 115 })
    expect(await db.run({ collMod: 'things', index: { name: 'a_1', hidden: true } })).toMatchObject({ ok: 1 })
  })

  it('that meet a damaged page say that the file is damaged, and the check counts its faults', async () => {
    await fill(5000)
    db.engine.close()
    const { size } = statSync(db.file)
    const bytes = readFileSync(db.file)
    writeFileSync(db.file, bytes.fill(0xff, Math.floor(size / 3), Math.floor(size / 3) + 8192))
    db.engine = openEngine({ path: db.file })
    const found = await db.run({ find: 'things', batchSize: 5000 })
    expect(found).toMatchObject({
      ok: 0,
      code: 1,
      errmsg: expect.stringMatching(/ is damaged: restore it from a backup/)
    })
    const faults = await checkFile(db.file)
    expect(faults.length).toBeGreaterThan(1)
    expect(faults.filter((fault) => fault.includes('\n'))).toEqual([])
  })

  it('that end a transaction are refused when no transaction is named', async () => {
    expect(await db.run({ commitTransaction: 1 })).toMatchObject({ ok: 0, code: 125 })
    expect(await db.run({ abortTransaction: 1 })).toMatchObject({ ok: 0, code: 125 })
  })

  it('that watch for unsupported events are refused with the reason', async () => {
    const watch = (spec: Document): Promise<Document> =>
      db.run({ aggregate: 'things', pipeline: [{ $changeStream: spec }], cursor: {} })
    expect(await watch({ showExpandedEvents: true })).toMatchObject({ ok: 0, code: 115 })
    expect(await watch({ showExpandedEvents: false })).toMatchObject({ ok: 1 })
  })

  it('that use a cursor which is in use are refused with the reason', async () => {
    const opened = await db.run({ aggregate: 'things', pipeline: [{ $changeStream: {} }], cursor: {} })
    const { id } = opened['cursor'] as { id: unknown }
    const ask = (): Promise<Document> => db.run({ getMore: id, collection: 'things', maxTimeMS: 500 })
    const [first, second] = await Promise.all([ask(), ask()])
    expect(first).toMatchObject({ ok: 1 })
    expect(second).toMatchObject({ ok: 0, code: 143, codeName: 'CursorInUse' })
  })

  it('of other clients continue while one scans a whole collection', async () => {
    await fill(20_000)
    let done = false
    const slow = db
      .run({ update: 'things', updates: [{ q: {}, u: { $inc: { n: 1 } }, multi: true }] })
      .then((answer) => {
        done = true
        return answer
      })
    let between = 0
    while (!done) {
      expect(await db.run({ find: 'things', filter: { _id: 5 }, limit: 1 })).toMatchObject({ ok: 1 })
      await new Promise(setImmediate)
      between++
    }
    expect(await slow).toMatchObject({ n: 20_000, nModified: 20_000 })
    expect(between).toBeGreaterThan(5)
  })

  it('that write to a collection which is dropped meanwhile fail, and no others do', async () => {
    await fill(20_000)
    await db.run({ insert: 'others', documents: [{ _id: 0, n: 0 }] })
    const slow = db.run({ update: 'things', updates: [{ q: {}, u: { $inc: { n: 1 } }, multi: true }] })
    // Not awaited: the disk may take longer to sync this than the other update takes as a whole.
    const before = db.run({ update: 'others', updates: [{ q: { _id: 0 }, u: { $inc: { n: 1 } } }] })
    await new Promise(setImmediate)
    const dropped = db.run({ drop: 'things' })
    const beside = db.run({ update: 'others', updates: [{ q: { _id: 0 }, u: { $inc: { n: 1 } } }] })
    expect(await dropped).toMatchObject({ ok: 1 })
    for (const answer of await Promise.all([before, beside])) expect(answer).toMatchObject({ ok: 1, nModified: 1 })
    const { code, writeErrors } = await slow
    expect(code ?? (writeErrors as { code: number }[] | undefined)?.[0]?.code).toBe(175)
    expect(await db.run({ find: 'others' })).toMatchObject({ cursor: { firstBatch: [{ n: 2 }] } })
  })

  it('are explained as they run, also the stages at the head of a pipeline', async () => {
    await db.run({ insert: 'things', documents: [1, 2, 3, 4].map((_id) => ({ _id, a: 1, b: _id % 3 })) })
    const pipeline = [{ $match: { a: 1 } }, { $match: { b: 1 } }, { $skip: 1 }]
    const command = { aggregate: 'things', pipeline, cursor: {} }
    expect(await db.run(command)).toMatchObject({ cursor: { firstBatch: [{ _id: 4 }] } })
    const explained = await db.run({ explain: command, verbosity: 'executionStats' })
    expect(explained).toMatchObject({ executionStats: { nReturned: 1 } })
  })

  it('that fail do not affect others in the same turn of the event loop', async () => {
    await db.run({ createIndexes: 'things', indexes: [{ key: { k: 1 }, name: 'k_1', unique: true }] })
    const answers = await Promise.all([
      db.run({ insert: 'things', documents: [{ _id: 1, k: 1 }] }),
      db.run({ insert: 'things', documents: [{ _id: 2, k: 1 }] }),
      db.run({ create: 'bad$name' }),
      db.run({ createIndexes: 'arrays', indexes: [{ key: { a: 1, b: 1 }, name: 'ab' }] }),
      db.run({ insert: 'things', documents: [{ _id: 3, k: 3 }] })
    ])
    const outcomes = answers.map(({ ok, writeErrors }) => (ok === 1 && !writeErrors ? 'ok' : 'refused'))
    // On a busy machine the first one may let the second one pass.
    expect(outcomes.slice(0, 2).toSorted()).toEqual(['ok', 'refused'])
    expect(outcomes.slice(2)).toEqual(['refused', 'ok', 'ok'])
    expect(await db.run({ count: 'things' })).toMatchObject({ n: 2 })
  })

  it('that cannot build an index leave nothing of it behind', async () => {
    await db.run({
      insert: 'things',
      documents: [
        { _id: 1, a: 1 },
        { _id: 2, a: [1], b: [2] }
      ]
    })
    expect(await db.run({ createIndexes: 'things', indexes: [{ key: { a: 1, b: 1 }, name: 'ab' }] })).toMatchObject({
      ok: 0,
      code: 171
    })
    expect(await db.run({ listIndexes: 'things' })).toMatchObject({ cursor: { firstBatch: [{ name: '_id_' }] } })
    expect(await db.run({ insert: 'things', documents: [{ _id: 3, a: [1], b: [2] }] })).toMatchObject({ n: 1 })
    expect(await db.run({ count: 'things' })).toMatchObject({ n: 3 })
  })
})
