import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHandshakeQueue } from './handshake-queue.ts'

describe('the handshake queue', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('starts a few at once, and the others in order as those end', () => {
    const queue = createHandshakeQueue({ atOnce: 2, holdMs: 20 })
    const started: number[] = []
    const dones: (() => void)[] = []
    for (const one of [0, 1, 2, 3]) {
      queue.enqueue((done) => {
        started.push(one)
        dones.push(done)
      })
    }
    expect(started).toEqual([0, 1])
    expect(queue.waiting()).toBe(2)
    dones[1]?.()
    dones[1]?.()
    expect(started).toEqual([0, 1, 2])
  })

  it('goes through any number of peers that are gone when their turn comes, and leaves no timer behind', () => {
    const queue = createHandshakeQueue({ atOnce: 1, holdMs: 20 })
    const first: (() => void)[] = []
    queue.enqueue((done) => first.push(done))
    let turns = 0
    for (let peer = 0; peer < 50_000; peer += 1) {
      queue.enqueue((done) => {
        turns += 1
        done()
      })
    }
    first[0]?.()
    expect([turns, queue.waiting(), vi.getTimerCount()]).toEqual([50_000, 0, 0])
  })

  it('starts as many as may run at once when the event loop is no longer busy', () => {
    let isBusy = true
    const yields = { isBusy: () => isBusy, lookMs: 2, longestMs: 10 }
    const queue = createHandshakeQueue({ atOnce: 2, holdMs: 50, yields })
    let started = 0
    for (let peer = 0; peer < 3; peer += 1) queue.enqueue(() => (started += 1))
    isBusy = false
    vi.advanceTimersByTime(2)
    expect(started).toBe(2)
  })

  it('frees the place of a slow peer', () => {
    const queue = createHandshakeQueue({ atOnce: 1, holdMs: 20 })
    const started: string[] = []
    queue.enqueue(() => started.push('never done'))
    queue.enqueue(() => started.push('next'))
    vi.advanceTimersByTime(19)
    expect(started).toEqual(['never done'])
    vi.advanceTimersByTime(1)
    expect(started).toEqual(['never done', 'next'])
  })

  it('yields to others while the event loop is busy, and continues after a while anyway', () => {
    let isBusy = false
    const queue = createHandshakeQueue({
      atOnce: 2,
      holdMs: 5,
      yields: { isBusy: () => isBusy, lookMs: 2, longestMs: 10 }
    })
    const started: number[] = []
    const start = (one: number) => queue.enqueue(() => started.push(one))
    start(0)
    expect(started).toEqual([0])
    isBusy = true
    start(1)
    start(2)
    vi.advanceTimersByTime(8)
    expect(started).toEqual([0])
    vi.advanceTimersByTime(2)
    expect(started).toEqual([0, 1])
    vi.advanceTimersByTime(4)
    isBusy = false
    vi.advanceTimersByTime(2)
    expect(started).toEqual([0, 1, 2])
    expect(queue.waiting()).toBe(0)
  })
})
