import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
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

  it('let no new one in before those that wait, though a place can be freed by then', () => {
    const limits = create()
    const old = [arrive(limits), arrive(limits)]
    vi.advanceTimersByTime(100)
    const waiting = arrive(limits)
    vi.advanceTimersByTime(150)
    old[1]?.pending?.spoke()
    const late = arrive(limits)
    expect(old.map(({ closed }) => closed)).toEqual([true, false])
    expect([waiting, late].map(({ pending }) => pending !== null)).toEqual([true, false])
    waiting.pending?.spoke()
    old[1]?.pending?.leave()
    expect(late.pending).not.toBeNull()
  })

  it('evict one that was silent again for the grace period after it sent something', () => {
    const limits = create()
    const [first] = [arrive(limits), arrive(limits)]
    first.pending?.spoke()
    vi.advanceTimersByTime(1000)
    first.pending?.silentAgain()
    arrive(limits).pending?.spoke()
    const next = arrive(limits)
    vi.advanceTimersByTime(249)
    expect([first.closed, next.pending]).toEqual([false, null])
    vi.advanceTimersByTime(1)
    expect([first.closed, next.pending === null]).toEqual([true, false])
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
    const first = arrive(limits)
    vi.advanceTimersByTime(100)
    const second = arrive(limits)
    expect(arrive(limits).closed).toBe(true)
    for (const [ms, expected] of [
      [899, [false, false]],
      [1, [true, false]],
      [99, [true, false]],
      [1, [true, true]]
    ] as const) {
      vi.advanceTimersByTime(ms)
      expect([first.closed, second.closed]).toEqual(expected)
    }
    expect([first.pending, second.pending]).toEqual([null, null])
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

  it('let as many of all addresses wait as may be pending, and others in place of those that have gone', () => {
    const limits = create()
    const hosts = ['192.0.2.1', '192.0.2.2', '192.0.2.3']
    for (const host of hosts) arrive(limits, host).pending?.spoke()
    for (let round = 0; round < 3; round += 1) {
      const waiting = hosts.map((host) => arrive(limits, host))
      expect(arrive(limits, '192.0.2.4').closed).toBe(true)
      expect(waiting.map(({ pending, closed }) => [pending, closed])).toEqual(hosts.map(() => [null, false]))
      for (const { gone } of waiting) {
        gone()
        gone()
      }
    }
    const last = hosts.map((host) => arrive(limits, host))
    vi.advanceTimersByTime(1000)
    expect(last.every(({ closed }) => closed)).toBe(true)
    expect(arrive(limits, '192.0.2.4').closed).toBe(false)
  })

  it('count the addresses of one network of IPv6 together', () => {
    const limits = create()
    for (const host of ['2001:db8::1', '2001:db8::2']) arrive(limits, host).pending?.spoke()
    expect(arrive(limits, '2001:db8::3').pending).toBeNull()
    expect(arrive(limits, '2001:db8:0:1::3').pending).not.toBeNull()
  })

  it('spare those of other addresses while the address itself has too many', () => {
    const limits = create()
    const other = arrive(limits, '192.0.2.2')
    vi.advanceTimersByTime(1000)
    for (const { pending } of [arrive(limits), arrive(limits)]) pending?.spoke()
    expect([arrive(limits).pending, other.closed]).toEqual([null, false])
  })

  it('give the place of an evicted one to the new one, not to another that waits at the address of the evicted', () => {
    const limits = create()
    const [first, second] = [arrive(limits), arrive(limits)]
    for (const { pending } of [first, second, arrive(limits, '192.0.2.2')]) pending?.spoke()
    const waiting = arrive(limits)
    vi.advanceTimersByTime(200)
    first.pending?.silentAgain()
    vi.advanceTimersByTime(250)
    const next = arrive(limits, '192.0.2.2')
    expect([first.closed, next.pending === null, waiting.pending]).toEqual([true, false, null])
  })

  it('remember no address of which all have been evicted', () => {
    const limits = create()
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    for (let network = 0; network < 50_000; network += 1) {
      vi.advanceTimersByTime(250)
      limits.arrive(`2001:db8:0:${network.toString(16)}::1`, { enter: () => {}, close: () => {} })
    }
    collectGarbage()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 * 1024 * 1024)
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
      pending?.leave()
    }
    expect(vi.getTimerCount()).toBe(0)
  })

  it('end all at a stop, and let none in that waited', () => {
    const limits = create()
    const hosts = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.3']
    const all = hosts.map((host) => arrive(limits, host))
    limits.endAll()
    all.push(arrive(limits))
    expect(all.map(({ pending, closed }) => [pending !== null, closed])).toEqual([
      ...Array.from({ length: 3 }, () => [true, true]),
      ...Array.from({ length: 3 }, () => [false, true])
    ])
    expect(vi.getTimerCount()).toBe(0)
  })
})
