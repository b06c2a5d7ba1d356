import { dayMs } from '@batti/kit/durations'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openInProcess, type InProcess } from '../../test/in-process.ts'
import { expireDocuments } from './expiry.ts'

describe('expired documents', () => {
  let now: number
  let db: InProcess
  beforeEach(async () => {
    now = Date.UTC(2026, 0, 1)
    db = await openInProcess({ now: () => now })
    for (const name of ['first', 'second', 'third']) {
      await db.run({ createIndexes: name, indexes: [{ key: { at: 1 }, name: 'at_1', expireAfterSeconds: 10 }] })
      const documents = Array.from({ length: 500 }, (_, _id) => ({ _id, at: new Date(now - 60_000) }))
      await db.run({ insert: name, documents })
    }
  })
  afterEach(() => db.close())
  const count = async (name: string): Promise<unknown> => (await db.run({ count: name }))['n']

  it('are removed from all other collections when one, or an index, is dropped meanwhile', async () => {
    const expiring = expireDocuments(db.engine)
    await db.run({ dropIndexes: 'first', index: 'at_1' })
    await db.run({ drop: 'second' })
    expect(await expiring).toBe(700)
    expect([await count('first'), await count('third')]).toEqual([300, 0])
  })

  it('are valid again as soon as their index has a longer expiry', async () => {
    const expiring = expireDocuments(db.engine)
    await db.run({ collMod: 'first', index: { name: 'at_1', expireAfterSeconds: 3600 } })
    expect(await expiring).toBe(1200)
    expect(await count('first')).toBe(300)
  })

  it('are those of the time at which the removal began, though the wall clock is set far forward meanwhile', async () => {
    await db.run({ insert: 'third', documents: [{ _id: 'valid', at: new Date(now) }] })
    const expiring = expireDocuments(db.engine)
    now += 400 * dayMs
    expect(await expiring).toBe(1500)
    expect(await count('third')).toBe(1)
  })
})
