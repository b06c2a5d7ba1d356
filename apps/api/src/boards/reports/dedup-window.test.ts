import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDedupWindow } from './dedup-window.ts'

describe('recent reports', () => {
  it('are identified by board, boot and number', () => {
    const taken = createDedupWindow()
    taken.note('board', { bootId: 'boot-0001', seq: 7 })
    expect(taken.has('board', { bootId: 'boot-0001', seq: 7 })).toBe(true)
    expect(taken.has('board', { bootId: 'boot-0001', seq: 6 })).toBe(false)
    expect(taken.has('board', { bootId: 'boot-0002', seq: 7 })).toBe(false)
    expect(taken.has('other', { bootId: 'boot-0001', seq: 7 })).toBe(false)
  })

  it('are all known, in whatever order they arrived', () => {
    fc.assert(
      // Few enough numbers that many of them close a gap between two others.
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 10 }), (seqs) => {
        const taken = createDedupWindow()
        for (const seq of seqs) {
          for (let times = 0; times < 2; times += 1) taken.note('board', { bootId: 'boot-0001', seq })
        }
        const known = Array.from({ length: 22 }, (_, seq) => seq).filter((seq) =>
          taken.has('board', { bootId: 'boot-0001', seq })
        )
        expect(known).toEqual(seqs.toSorted((one, other) => one - other))
      })
    )
  })

  it('are one range when they arrive in order, and all known however many there are', () => {
    const taken = createDedupWindow()
    for (let seq = 1; seq <= 1000; seq += 1) taken.note('board', { bootId: 'boot-0001', seq })
    const first = { bootId: 'boot-0001', seq: 1 }
    expect([taken.has('board', first), taken.covers('board', first)]).toEqual([true, true])
  })

  it('are one range when they arrive in reverse order', () => {
    const taken = createDedupWindow()
    for (let seq = 300; seq > 0; seq -= 1) taken.note('board', { bootId: 'boot-0001', seq }, { isLate: true })
    expect([1, 300].map((seq) => taken.has('board', { bootId: 'boot-0001', seq }))).toEqual([true, true])
  })

  it('stay known when an older one is noted after them', () => {
    const taken = createDedupWindow()
    for (const seq of [70, 70 - 64]) taken.note('board', { bootId: 'boot-0001', seq })
    expect(taken.has('board', { bootId: 'boot-0001', seq: 70 })).toBe(true)
  })

  it('are all known from the first that came in time, although a board keeps more than it must', () => {
    const taken = createDedupWindow()
    const covered = (seq: number, bootId = 'boot-0001'): boolean => taken.covers('board', { bootId, seq })
    expect(covered(10)).toBe(false)
    taken.note('board', { bootId: 'boot-0001', seq: 10 })
    expect([covered(9), covered(10), covered(11), covered(10, 'boot-0002')]).toEqual([false, true, true, false])
    taken.note('board', { bootId: 'boot-0001', seq: 1000 })
    taken.note('board', { bootId: 'boot-0001', seq: 20 })
    expect([covered(9), covered(10), covered(500)]).toEqual([false, true, true])
  })

  it('are forgotten before the last 128 ranges, and then no longer all known there', () => {
    const taken = createDedupWindow()
    const ofSeq = (seq: number) => ({ bootId: 'boot-0001', seq })
    for (let seq = 1; seq <= 2 * 130; seq += 2) taken.note('board', ofSeq(seq))
    expect([1, 3, 5].map((seq) => taken.has('board', ofSeq(seq)))).toEqual([false, false, true])
    expect([3, 4].map((seq) => taken.covers('board', ofSeq(seq)))).toEqual([false, true])
    for (const seq of [4, 261]) taken.note('board', ofSeq(seq))
    expect([5, 7].map((seq) => taken.has('board', ofSeq(seq)))).toEqual([false, true])
    expect([5, 6].map((seq) => taken.covers('board', ofSeq(seq)))).toEqual([false, true])
  })

  it('are not all known after a late one: those beside it may have come before this process started', () => {
    const taken = createDedupWindow()
    taken.note('board', { bootId: 'boot-0001', seq: 10 }, { isLate: true })
    expect([9, 10].map((seq) => taken.covers('board', { bootId: 'boot-0001', seq }))).toEqual([false, false])
    taken.note('board', { bootId: 'boot-0001', seq: 20 })
    expect([10, 19, 20].map((seq) => taken.covers('board', { bootId: 'boot-0001', seq }))).toEqual([false, false, true])
  })

  it('of a deleted board are forgotten, and of no other', () => {
    const taken = createDedupWindow()
    for (const board of ['gone', 'stays']) taken.note(board, { bootId: 'boot-0001', seq: 1 })
    taken.forget('gone')
    expect(['gone', 'stays'].map((board) => taken.has(board, { bootId: 'boot-0001', seq: 1 }))).toEqual([false, true])
  })

  it('of an earlier boot are forgotten with the first one of the next', () => {
    const taken = createDedupWindow()
    taken.note('board', { bootId: 'boot-0001', seq: 1 })
    taken.note('board', { bootId: 'boot-0002', seq: 2 })
    expect(taken.has('board', { bootId: 'boot-0001', seq: 1 })).toBe(false)
    expect(taken.has('board', { bootId: 'boot-0002', seq: 1 })).toBe(false)
  })
})
