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

  it('are the last 64, in whatever order they arrived', () => {
    const taken = createDedupWindow()
    for (const seq of [66, 65, ...Array.from({ length: 64 }, (_, index) => index + 1)].toSorted((a, b) => a - b))
      taken.note('board', { bootId: 'boot-0001', seq })
    const known = (seq: number): boolean => taken.has('board', { bootId: 'boot-0001', seq })
    expect([1, 2, 3, 66, 67].map(known)).toEqual([false, false, true, true, false])
  })

  it('stay known when an older one is noted after them', () => {
    const taken = createDedupWindow()
    for (const seq of [70, 70 - 64]) taken.note('board', { bootId: 'boot-0001', seq })
    expect(taken.has('board', { bootId: 'boot-0001', seq: 70 })).toBe(true)
  })

  it('are all known from the first that came in time, for as long as they are among the last 64', () => {
    const taken = createDedupWindow()
    const covered = (seq: number, bootId = 'boot-0001'): boolean => taken.covers('board', { bootId, seq })
    expect(covered(10)).toBe(false)
    taken.note('board', { bootId: 'boot-0001', seq: 10 })
    expect([covered(9), covered(10), covered(11), covered(10, 'boot-0002')]).toEqual([false, true, true, false])
    taken.note('board', { bootId: 'boot-0001', seq: 80 })
    taken.note('board', { bootId: 'boot-0001', seq: 20 })
    expect([covered(16), covered(17)]).toEqual([false, true])
  })

  it('are not all known after a late one: those beside it may have come before this process started', () => {
    const taken = createDedupWindow()
    taken.note('board', { bootId: 'boot-0001', seq: 10 }, { isLate: true })
    expect([9, 10].map((seq) => taken.covers('board', { bootId: 'boot-0001', seq }))).toEqual([false, false])
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
