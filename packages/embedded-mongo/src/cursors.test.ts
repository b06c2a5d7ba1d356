import { describe, expect, it } from 'vitest'
import { createCursors, type OpenCursor } from './cursors.ts'
import { createSlice } from './storage/pause.ts'

const open = (more: Partial<OpenCursor> = {}): Parameters<ReturnType<typeof createCursors>['open']>[0] => ({
  namespace: 'd.c',
  session: null,
  client: 1,
  transaction: null,
  slice: createSlice(() => 0),
  stream: (function* () {})(),
  tail: null,
  noTimeout: false,
  onClose: () => {},
  ...more
})

describe('cursors', () => {
  it('are closed after ten idle minutes, except those opened without a time-out', () => {
    let now = 0
    const cursors = createCursors(() => now)
    const idle = cursors.open(open())
    const used = cursors.open(open())
    const kept = cursors.open(open({ noTimeout: true }))
    now = 9 * 60_000
    cursors.touch(used)
    now = 11 * 60_000
    cursors.expire()
    expect([idle, used, kept].map(({ id }) => cursors.get(id) !== null)).toEqual([false, true, true])
  })

  it('call their close function once', () => {
    const cursors = createCursors(() => 0)
    let closed = 0
    const cursor = cursors.open(open({ onClose: () => closed++ }))
    expect(cursors.close(cursor.id)).toBe(true)
    expect(cursors.close(cursor.id)).toBe(false)
    expect(closed).toBe(1)
  })

  it('are bounded: new ones first replace idle ones, then are refused', () => {
    let now = 0
    const cursors = createCursors(() => now)
    const first = cursors.open(open())
    for (let i = 1; i < 2000; i++) cursors.open(open())
    expect(() => cursors.open(open())).toThrow(/Too many open cursors/)
    now = 5000
    cursors.open(open())
    expect(cursors.get(first.id)).toBeNull()
    expect(cursors.count()).toBe(2000)
  })
})
