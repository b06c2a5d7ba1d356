import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createConnectionLimits, type PendingConnection } from './connection-limits.ts'

describe('limits for connections that have not authenticated', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const create = () =>
    createConnectionLimits(
      { perAddress: 2, total: 3, timeMs: 5000, graceMs: 250, waitingPerAddress: 2, waitMs: 1000 },
      () => Date.now()
    )
  type Limits = ReturnType<typeof create>

  /** A new connection, and how it ended. */
  function arrive(limits: Limits, address = '192.0.2.1') {
    const connection = { pending: null as PendingConnection | null, closed: false, gone: () => {} }
    connection.gone = limits.arrive(address, {
      enter: (pending) => (connection.pending = pending),
      close: () => (connection.closed = true)
    })
    return connection
  }

  it('replace the oldest silent connection, not one that sent something', () => {
    const limits = create()
    const first = arrive(limits)
    const second = arrive(limits)
    first.pending?.spoke()
    vi.advanceTimersByTime(250)
    const third = arrive(limits)
    expect([first.closed, second.closed, third.pending === null]).toEqual([false, true, false])
  })

  it('let a new one wait for the grace period while the others are silent only for a moment', () => {
    const limits = create()
    const old = [arrive(limits), arrive(limits)]
    vi.advanceTimersByTime(100)
    const next = arrive(limits)
    expect([next.pending, next.closed, old[0]?.closed]).toEqual([null, false, false])
    vi.advanceTimersByTime(250)
    expect([next.pending === null, old[0]?.closed, old[1]?.closed]).toEqual([false, true, false])
  })

  it('give the freed place to the one that waited longest', () => {
    const limits = create()
    const old = [arrive(limits), arrive(limits)]
    const waiting = [arrive(limits), arrive(limits)]
    old[1]?.pending?.spoke()
    vi.advanceTimersByTime(250)
    expect(old.map(({ closed }) => closed)).toEqual([true, false])
    expect(waiting.map(({ pending, closed }) => [pending !== null, closed])).toEqual([
      [true, false],
      [false, false]
    ])
  })

  it('keep waiting connections in order of arrival, however often a place was looked for', () => {
    const limits = create()
    const [first, second] = [arrive(limits), arrive(limits)]
    for (const { pending } of [first, second]) pending?.spoke()
    const waiting = [arrive(limits), arrive(limits)]
    vi.advanceTimersByTime(600)
    first.pending?.leave()
    expect(waiting.map(({ pending }) => pending !== null)).toEqual([true, false])
    second.pending?.leave()
    expect(waiting.map(({ pending }) => pending !== null)).toEqual([true, true])
  })

  it('let the longest waiting one in as soon as another authenticated or ended', () => {
    const limits = create()
    const [first] = [arrive(limits), arrive(limits)]
    const gone = arrive(limits)
    const next = arrive(limits)
    gone.gone()
    first.pending?.leave()
    expect([gone.pending, next.pending === null]).toEqual([null, false])
    expect(arrive(limits).pending).toBeNull()
  })

  it('refuse the new one after a wait when all others expect an answer, and at once when too many wait', () => {
    const limits = create()
    for (const connection of [arrive(limits), arrive(limits)]) connection.pending?.spoke()
    const waiting = [arrive(limits), arrive(limits)]
    expect(arrive(limits).closed).toBe(true)
    vi.advanceTimersByTime(999)
    expect(waiting.some(({ closed }) => closed)).toBe(false)
    vi.advanceTimersByTime(1)
    expect(waiting.map(({ pending, closed }) => [pending, closed])).toEqual([
      [null, true],
      [null, true]
    ])
    expect(arrive(limits, '192.0.2.2').pending).not.toBeNull()
  })

  it('limit all addresses together too', () => {
    const limits = create()
    const all = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'].map((host) => arrive(limits, host))
    expect(limits.count()).toBe(3)
    vi.advanceTimersByTime(250)
    expect(all.map(({ closed }) => closed)).toEqual([true, false, false, false])
    expect(limits.count()).toBe(3)
  })

  it('end one that exceeds its time, whether it sent something or not, and none that ended', () => {
    const limits = create()
    const slow = arrive(limits)
    const done = arrive(limits, '192.0.2.2')
    slow.pending?.spoke()
    done.pending?.leave()
    vi.advanceTimersByTime(5000)
    expect([slow.closed, done.closed, limits.count()]).toEqual([true, false, 0])
  })

  it('do not count ended ones', () => {
    const limits = create()
    for (let index = 0; index < 10; index += 1) {
      const { pending } = arrive(limits)
      pending?.spoke()
      expect(pending).not.toBeNull()
      pending?.leave()
    }
    expect(vi.getTimerCount()).toBe(0)
  })

  it('end all at a stop, and let none in that waited', () => {
    const limits = create()
    const all = [arrive(limits), arrive(limits)]
    const waiting = arrive(limits)
    limits.endAll()
    expect(all.every(({ closed }) => closed)).toBe(true)
    vi.advanceTimersByTime(1000)
    expect(waiting.closed).toBe(true)
  })
})
