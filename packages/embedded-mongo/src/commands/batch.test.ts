import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openInProcess, type InProcess } from '../../test/in-process.ts'
import type { Document } from '../bson/document.ts'

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a query that is interrupted', () => {
  let db: InProcess
  let openFiles = 0
  beforeEach(async () => {
    db = await openInProcess()
    const { scratch } = db.engine.store
    const { open } = scratch
    openFiles = 0
    vi.spyOn(scratch, 'open').mockImplementation(() => {
      const file = open()
      openFiles++
      return {
        ...file,
        close: () => {
          openFiles--
          file.close()
        }
      }
    })
    for (const from of [0, 3000]) {
      const documents = Array.from({ length: 3000 }, (_, i) => ({ _id: from + i, n: -i, pad: 'x'.repeat(3000) }))
      await db.run({ insert: 'things', documents })
    }
  })
  afterEach(async () => {
    await db.close()
    vi.restoreAllMocks()
  })

  const group = { aggregate: 'things', pipeline: [{ $group: { _id: '$n', pads: { $push: '$pad' } } }] }
  const held = (): unknown => ({ bytes: db.engine.memory.held(), files: openFiles })
  const nothing = { bytes: 0, files: 0 }

  it('by its time limit, before it has a cursor, releases everything', async () => {
    expect(await db.run({ ...group, cursor: {}, maxTimeMS: 1 })).toMatchObject({ ok: 0, code: 50 })
    expect(held()).toEqual(nothing)
  })

  it.each<[string, Document, () => boolean]>([
    ['memory', { ...group, cursor: { batchSize: 0 } }, () => db.engine.memory.held() > 0],
    ['the disk', { find: 'things', sort: { n: 1 }, batchSize: 0 }, () => openFiles > 0]
  ])('by killCursors releases %s', async (_, query, holds) => {
    const { id } = (await db.run(query))['cursor'] as Document
    const answer = db.run({ getMore: id, collection: 'things' })
    while (!holds()) await turnOfTheLoop()
    expect(await db.run({ killCursors: 'things', cursors: [id] })).toMatchObject({ cursorsKilled: [id] })
    expect(await answer).toMatchObject({ ok: 0, code: 237 })
    expect(held()).toEqual(nothing)
  })
})
