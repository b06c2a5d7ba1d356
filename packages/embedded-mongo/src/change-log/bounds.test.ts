import { Timestamp } from 'bson'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openInProcess, type InProcess } from '../../test/in-process.ts'
import type { Document } from '../bson/document.ts'
import type { Collection } from '../storage/catalog-tables.ts'

describe('the limits of the change log', () => {
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
  const things = (): Collection => {
    const found = db.engine.store.catalog.get('test.things')
    if (!found) throw new Error('the collection is missing')
    return found
  }
  /** Writes the events of many inserts into the open commit. */
  const log = (count: number, text: string): void => {
    for (let _id = 0; _id < count; _id++)
      db.engine.changes.prepare(things(), { kind: 'insert', document: { _id, text } })()
  }

  it('answers ChangeStreamHistoryLost when it no longer reaches back that far, and stays as small after a restart', async () => {
    const token = tokenOf(await watch())
    const { operationTime: startAtOperationTime } = await insert(1)
    // Large documents soon exceed the limit in bytes.
    const large = 'x'.repeat(1_000_000)
    const fill = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) await db.run({ insert: 'things', documents: [{ large }] })
    }
    const lost = { ok: 0, code: 286, codeName: 'ChangeStreamHistoryLost' }
    await fill(80)
    expect(await watch({ resumeAfter: token })).toMatchObject(lost)
    expect(await watch({ startAtOperationTime })).toMatchObject(lost)
    expect(await watch()).toMatchObject({ ok: 1 })
    db.reopen()
    expect(await watch({ resumeAfter: token })).toMatchObject(lost)
    await fill(20)
    expect(db.engine.store.writer.get('SELECT sum(size) < 64 * 1024 * 1024 FROM changes')).toEqual([1])
  })

  it.each<[string, number, string]>([
    ['many changes', 60_000, ''],
    ['large changes', 3, 'x'.repeat(15_000_000)]
  ])('hold where each commit has %s; what has room is kept', async (_what, count, text) => {
    await watch()
    for (let commits = 0; commits < 4; commits++) {
      log(count, text)
      db.engine.store.flush()
    }
    await db.engine.store.durable()
    const [entries, bytes] = db.engine.store.writer.get('SELECT count(*), sum(size) FROM changes') ?? []
    expect(Number(entries)).toBeLessThanOrEqual(100_000)
    expect(Number(bytes)).toBeLessThanOrEqual(64 * 1024 * 1024)
    expect(Number(entries) > 80_000 || Number(bytes) > 40_000_000).toBe(true)
    const [newest] = db.engine.changes.read(db.engine.changes.head() - 1, 10)
    expect(newest).toMatchObject({ seq: 4 * count, event: { fullDocument: { text } } })
  })

  it('do not count what was written in a commit that was rolled back, nor do its places', async () => {
    const token = tokenOf(await watch())
    const { operationTime } = await insert(1)
    log(5, 'x'.repeat(15_000_000))
    db.engine.store.abandon(new Error('the disk was full'))
    const later = new Timestamp({ t: (operationTime as Timestamp).getHighBitsUnsigned() + 1000, i: 1 })
    const fromNowOn = (await watch({ startAtOperationTime: later }))['cursor'] as Document
    await insert(2)
    expect(await db.run({ getMore: fromNowOn['id'], collection: 'things' })).toMatchObject({
      cursor: { nextBatch: [{ fullDocument: { n: 2 } }] }
    })
    expect(await watch({ resumeAfter: token })).toMatchObject({
      cursor: { firstBatch: [{ fullDocument: { n: 1 } }, { fullDocument: { n: 2 } }] }
    })
  })

  it('include one for an event: a change with a larger one is refused, and not made', async () => {
    const { id } = (await watch())['cursor'] as Document
    const name = 'x'.repeat(100)
    const whole = { _id: 1, [name]: Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`f${n}`, 'x'])) }
    await db.run({ insert: 'things', documents: [whole] })
    // The event repeats the path of each field.
    const every = { $map: { input: { $objectToArray: `$${name}` }, in: { k: '$$this.k', v: 'y'.repeat(80) } } }
    const u = [{ $set: { [name]: { $arrayToObject: every } } }]
    expect(await db.run({ update: 'things', updates: [{ q: { _id: 1 }, u }] })).toMatchObject({
      n: 0,
      writeErrors: [{ code: 10334, errmsg: expect.stringMatching(/^BSONObj size: \d{8} is invalid/) }]
    })
    expect(await db.run({ count: 'things', query: { [`${name}.f7`]: 'x' } })).toMatchObject({ n: 1 })
    const told = (await db.run({ getMore: id, collection: 'things' }))['cursor'] as Document
    expect(told['nextBatch']).toMatchObject([{ operationType: 'insert' }])
  })
})
