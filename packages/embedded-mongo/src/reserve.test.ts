import { testFolder } from '@batti/kit/node/testing'
import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openInProcess } from '../test/in-process.ts'
import { createReserve, releaseReserveWhenFull, type Reserve } from './reserve.ts'

const MIB = 1024 * 1024
const HOUR_MS = 3_600_000

describe('the disk space reserved for a full disk', () => {
  let folder: string
  let path: string
  let free: number
  let now: number
  let said: string[]
  let reserve: Reserve
  const held = (): number => (existsSync(path) ? statSync(path).size : 0)
  beforeEach(() => {
    folder = testFolder('reserve')
    path = join(folder, 'reserve')
    free = 100 * MIB
    now = 0
    said = []
    reserve = createReserve({
      path,
      bytes: 3 * MIB,
      freeBytes: () => free - held(),
      say: (words) => said.push(words),
      monotonic: () => now
    })
  })

  it('is allocated when there is plenty of space, as real bytes', async () => {
    await reserve.look()
    expect(held()).toBe(3 * MIB)
    expect(said).toEqual([])
  })

  it('is not allocated when the disk is almost full', async () => {
    free = 11 * MIB
    await reserve.look()
    expect(held()).toBe(0)
    expect(said).toEqual([])
  })

  it('is released when a write fails; the user is told then and every hour, and it is reserved again later', async () => {
    await reserve.look()
    free = 3 * MIB
    reserve.release()
    reserve.release()
    await reserve.look()
    expect(held()).toBe(0)
    expect(said).toEqual([expect.stringMatching(/^The disk is full: the 3 MiB that were kept .* in use now\. Delete /)])
    now += HOUR_MS
    await reserve.look()
    expect(said[1]).toMatch(/^The disk is almost full: 3 MiB are left\. Delete /)
    free = 100 * MIB
    await reserve.look()
    expect(held()).toBe(3 * MIB)
    free = 0
    reserve.release()
    expect(said).toHaveLength(3)
  })

  it('is given up, but the disk not called full, when a write is refused although there is room', async () => {
    await reserve.look()
    reserve.release()
    await reserve.look()
    reserve.release()
    expect(held()).toBe(0)
    expect(said).toEqual([expect.stringMatching(/^The disk refused a write although 97 MiB are free: .* failing\.$/)])
    now += HOUR_MS
    reserve.release()
    expect(said).toHaveLength(2)
  })

  it('is reported missing after a start too', async () => {
    free = 5 * MIB
    await reserve.look()
    await reserve.look()
    expect(said).toEqual([expect.stringMatching(/^The disk is almost full: 5 MiB are left\. Delete /)])
  })

  it('is released before a write fails, by the periodic check and at the start', async () => {
    await reserve.look()
    free = 4 * MIB
    await reserve.look()
    expect(held()).toBe(0)
    free = 100 * MIB
    await reserve.look()
    releaseReserveWhenFull(path, () => 3 * MIB)
    expect(held()).toBe(3 * MIB)
    releaseReserveWhenFull(path, () => MIB)
    expect(held()).toBe(0)
  })

  it('is filled again after a process was killed while filling it', async () => {
    await reserve.look()
    rmSync(path)
    const half = createReserve({ path, bytes: MIB, freeBytes: () => free, say: () => {}, monotonic: () => 0 })
    await half.look()
    await reserve.look()
    expect(held()).toBe(3 * MIB)
  })
})

it('the engine reports that the disk refused a write', async () => {
  let refusals = 0
  const db = await openInProcess({ onFull: () => refusals++ })
  await db.run({ insert: 'things', documents: [{ _id: 1 }] })
  const [pages] = db.engine.store.writer.get('PRAGMA page_count') ?? [0]
  db.engine.store.writer.exec(`PRAGMA max_page_count = ${Number(pages)}`)
  expect(await db.run({ insert: 'things', documents: [{ _id: 2, large: 'x'.repeat(100_000) }] })).toMatchObject({
    ok: 0,
    code: 14031
  })
  expect(refusals).toBe(1)
  await db.run({ insert: 'things', documents: [{ _id: 1 }] })
  expect(refusals).toBe(1)
  await db.close()
})
