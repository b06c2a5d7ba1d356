import { Binary } from 'bson'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openInProcess, type InProcess } from '../../test/in-process.ts'
import type { Document } from './document.ts'
import { encodeDocument } from './encode.ts'

const tooLarge = { ok: 0, code: 10334, codeName: 'BSONObjectTooLarge' }

describe('a document above the limit', () => {
  const fits = 16 * 1024 * 1024 + 16 * 1024

  it.each<[string, (size: number) => Document]>([
    ['text', (size) => ({ text: 'x'.repeat(size - 16) })],
    ['text of more than one byte a character', (size) => ({ text: 'घ'.repeat((size - 16) / 3) })],
    ['bytes', (size) => ({ text: new Binary(Buffer.alloc(size - 16)) })],
    ['short values', (size) => ({ list: Array.from({ length: Math.floor(size / 16) }, () => 'xx') })]
  ])('is refused when it consists of %s, whatever its size', (_what, make) => {
    expect(encodeDocument(make(fits - 100)).length).toBeGreaterThan(fits / 2)
    for (const size of [fits + 10_000, 17 * 1024 * 1024, 17 * 1024 * 1024 + 100, 40_000_000])
      expect(() => encodeDocument({ a: make(size), b: make(size) })).toThrow(/BSONObj size: \d+ is invalid/)
  })

  describe('that a command makes', () => {
    let db: InProcess
    const half = 'x'.repeat(9_000_000)
    beforeEach(async () => {
      db = await openInProcess()
      await db.run({ insert: 'c', documents: [{ _id: 1, half }] })
    })
    afterEach(() => db.close())

    const doubled = { $set: { other: '$half' } }
    it.each<[string, Document]>([
      ['a pipeline', { aggregate: 'c', pipeline: [doubled], cursor: {} }],
      ['a sort in it', { aggregate: 'c', pipeline: [doubled, { $sort: { a: 1 } }, { $count: 'n' }], cursor: {} }],
      ['a projection', { find: 'c', projection: { half: 1, other: '$half' } }]
    ])('is refused in %s instead of being cut off', async (_where, command) => {
      expect(await db.run(command)).toMatchObject(tooLarge)
    })

    it('may be too large to be sent where only a part of it is asked for', async () => {
      const pipeline = [doubled, { $project: { length: { $strLenCP: { $concat: ['$half', '$other'] } } } }]
      expect(await db.run({ aggregate: 'c', pipeline, cursor: {} })).toMatchObject({
        cursor: { firstBatch: [{ length: 18_000_000 }] }
      })
    })

    it('is refused by an update and by $out as too large to be stored, with its size', async () => {
      expect(await db.run({ update: 'c', updates: [{ q: {}, u: [doubled] }] })).toMatchObject({
        writeErrors: [{ code: 17419 }]
      })
      expect(await db.run({ aggregate: 'c', pipeline: [doubled, { $out: 'd' }], cursor: {} })).toMatchObject({
        code: 2,
        errmsg: expect.stringMatching(/size in bytes: 18000\d{3}, max size: 16777216/)
      })
    })
  })
})
