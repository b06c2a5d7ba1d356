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
