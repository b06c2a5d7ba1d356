import { testFolder } from '@batti/kit/node/testing'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { openInProcess } from '../../test/in-process.ts'
import { createScratch, type Scratch } from './scratch.ts'
import { createSorter, type ItemForm } from './sorter.ts'

const form: ItemForm<string> = {
  size: (text) => text.length,
  encode: (text) => Buffer.from(text),
  decode: (bytes) => bytes.toString()
}

describe('a sorter', () => {
  let folder: string
  let scratch: Scratch
  beforeEach(() => {
    folder = testFolder('sort')
    scratch = createScratch(join(folder, 'batti.db'))
  })

  it('returns all items in order, and equal ones in order of insertion, with any limits', () => {
    const keys = fc.array(fc.tuple(fc.nat({ max: 9 }), fc.string({ maxLength: 30 })), { maxLength: 400 })
    fc.assert(
      fc.property(keys, fc.constantFrom(1, 500, 5000, 1e9), fc.option(fc.nat({ max: 50 })), (items, memory, keep) => {
        const sorter = createSorter(scratch, form, keep ?? Infinity, memory)
        for (const [i, [key, text]] of items.entries()) sorter.add(Buffer.from([key]), `${key} ${i} ${text}`)
        const wanted = items
          .map(([key, text], i) => ({ key, text: `${key} ${i} ${text}` }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ text }) => text)
        expect([...sorter.sorted()]).toEqual(wanted.slice(0, keep ?? Infinity))
        sorter.close()
      }),
      { numRuns: 200 }
    )
    expect(readdirSync(folder)).toEqual([])
  })

  it('reads items that are larger than its read buffer', () => {
    const sorter = createSorter(scratch, form, Infinity, 1)
    const large = ['b', 'a', 'c'].map((letter) => letter.repeat(200_000))
    for (const text of large) sorter.add(Buffer.from(text.slice(0, 1)), text)
    expect([...sorter.sorted()].map((text) => `${text.length}${text[0]}`)).toEqual(['200000a', '200000b', '200000c'])
    sorter.close()
  })
})

describe('a query over more rows than fit in memory', () => {
  it('is sorted on disk, and frees its memory', async () => {
    const db = await openInProcess()
    const count = 60_000
    for (let at = 0; at < count; at += 10_000) {
      await db.run({
        insert: 'things',
        documents: Array.from({ length: 10_000 }, (_, i) => ({
          _id: at + i,
          n: ((at + i) * 7919) % count,
          pad: 'x'.repeat(400)
        }))
      })
    }
    for (const command of [
      { find: 'things', sort: { n: 1 }, batchSize: 3 },
      { aggregate: 'things', pipeline: [{ $set: { m: '$n' } }, { $sort: { m: 1 } }], cursor: { batchSize: 3 } }
    ]) {
      const answer = await db.run(command)
      expect(answer).toMatchObject({ ok: 1, cursor: { firstBatch: [{ n: 0 }, { n: 1 }, { n: 2 }] } })
      const { id } = answer['cursor'] as { id: unknown }
      const rest = await db.run({ getMore: id, collection: 'things', batchSize: count })
      const { nextBatch } = rest['cursor'] as { nextBatch: { n: number }[] }
      expect(nextBatch.every(({ n }, i) => n === i + 3)).toBe(true)
      await db.run({ killCursors: 'things', cursors: [id] })
    }
    expect(db.engine.memory.held()).toBe(0)
    await db.close()
  })

  it('is refused if it must be held in memory, counted in bytes, and frees its memory', async () => {
    const db = await openInProcess({ memoryBytes: 8 * 1024 * 1024 })
    const large = 'x'.repeat(100_000)
    await db.run({ insert: 'things', documents: Array.from({ length: 100 }, (_, _id) => ({ _id, large })) })
    const pipelines = [
      [{ $group: { _id: null, all: { $push: '$$ROOT' } } }],
      [{ $group: { _id: { $concat: ['$large', { $toString: '$_id' }] } } }],
      [{ $facet: { all: [{ $match: {} }] } }],
      [{ $sample: { size: 2000 } }]
    ]
    for (const pipeline of pipelines) {
      expect(await db.run({ aggregate: 'things', pipeline, cursor: {} })).toMatchObject({ ok: 0, code: 292 })
      expect(db.engine.memory.held()).toBe(0)
    }
    expect(await db.run({ distinct: 'things', key: 'large' })).toMatchObject({ ok: 1 })
    expect(
      await db.run({ aggregate: 'things', pipeline: [{ $set: { m: 1 } }, { $merge: { into: 'things' } }], cursor: {} })
    ).toMatchObject({ ok: 1 })
    expect(await db.run({ count: 'things', query: { m: 1 } })).toMatchObject({ n: 100 })
    await db.close()
  })
})
