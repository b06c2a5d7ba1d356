import { pino } from 'pino'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { heldStore, turn } from '../../../testing/held-store.ts'
import { createWriteBehind } from './write-behind.ts'

const log = pino({ level: 'silent' })
describe('pending changes', () => {
  it('of one turn of the event loop are written in one batch, and the next batch collects meanwhile', async () => {
    const { store, batches, gates } = heldStore()
    const queue = createWriteBehind<string, string, number>({ store, log })
    queue.addLog('a')
    queue.addLog('b')
    await turn()
    queue.addLog('c')
    queue.addCommand('d')
    await turn()
    expect(batches.map(({ logs }) => logs)).toEqual([['a', 'b']])
    gates[0]?.resolve()
    await turn()
    expect(batches[1]).toMatchObject({ logs: ['c'], commands: ['d'] })
  })

  it('of one record are written once, the newest', async () => {
    const { store, batches } = heldStore()
    const queue = createWriteBehind<string, string, number>({ store, log })
    for (const value of [1, 2, 3]) queue.setState('board', () => value)
    await turn()
    expect([...(batches[0]?.states ?? [])]).toEqual([['board', 3]])
  })

  it('are reported as stored only when they are', async () => {
    const { store, gates } = heldStore()
    const queue = createWriteBehind<string, string, number>({ store, log })
    const received: string[] = []
    queue.addLog('first')
    void queue.stored().then(() => received.push('first'))
    await turn()
    queue.addLog('second')
    void queue.stored().then(() => received.push('second'))
    await turn()
    expect(received).toEqual([])
    gates[0]?.resolve()
    await turn()
    expect(received).toEqual(['first'])
    gates[1]?.resolve()
    await queue.drain()
    expect(received).toEqual(['first', 'second'])
  })

  it('are tried again when the database refuses, and nothing is reported meanwhile', async () => {
    let attempts = 0
    const queue = createWriteBehind<string, string, number>({
      log,
      retryMs: 1,
      store: () => (++attempts < 3 ? Promise.reject(new Error('away')) : Promise.resolve())
    })
    queue.addLog('a')
    await queue.stored()
    expect(attempts).toBe(3)
    expect(queue.isHealthy()).toBe(true)
  })

  it('that nobody waits for collect when idle, and are written together with those that somebody waits for', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { store, batches, gates } = heldStore()
    const queue = createWriteBehind<string, string, number>({ store, log, gatherMs: 20, calmMs: 250 })
    queue.addLog('a')
    void queue.gathered()
    await vi.advanceTimersByTimeAsync(249)
    expect(batches).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(batches[0]?.logs).toEqual(['a'])
    gates[0]?.resolve()
    await vi.advanceTimersByTimeAsync(1)
    queue.addLog('b')
    await vi.advanceTimersByTimeAsync(10)
    void queue.stored()
    await vi.advanceTimersByTimeAsync(20)
    expect(batches[1]?.logs).toEqual(['b'])
    gates[1]?.resolve()
    await vi.advanceTimersByTimeAsync(1)
    for (let row = 0; row < 100; row += 1) queue.addLog(`${row}`)
    await vi.advanceTimersByTimeAsync(20)
    expect(batches[2]?.logs).toHaveLength(100)
  })

  it('are written for a reader, who does not wait if there are none, nor longer than the limit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { store, batches, gates } = heldStore()
    const queue = createWriteBehind<string, string, number>({ store, log, gatherMs: 20, calmMs: 250 })
    expect(await queue.caughtUp(1000)).toBe(true)
    expect(batches).toEqual([])

    queue.addLog('a')
    let hasRead = false
    void queue.caughtUp(10_000).then((isStored) => (hasRead = isStored))
    await vi.advanceTimersByTimeAsync(20)
    expect([batches[0]?.logs, hasRead]).toEqual([['a'], false])
    gates[0]?.resolve()
    await vi.advanceTimersByTimeAsync(1)
    expect(hasRead).toBe(true)
  })

  it('delay a reader no longer than the limit, and not at all while the database refuses', async () => {
    const queue = createWriteBehind<string, string, number>({
      log,
      retryMs: 60_000,
      store: () => Promise.reject(new Error('away'))
    })
    queue.addLog('a')
    expect(await queue.caughtUp(5)).toBe(false)
    await expect.poll(() => queue.isHealthy()).toBe(false)
    expect(await queue.caughtUp(60_000)).toBe(false)
  })

  it('leave no timer behind when they are stored before the limit', async () => {
    const queue = createWriteBehind<string, string, number>({ store: () => Promise.resolve(), log })
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    for (let n = 0; n < 50; n += 1) {
      queue.addLog('a')
      expect(await queue.caughtUp(60_000)).toBe(true)
    }
    // The test runner may have started some of its own.
    expect(timers() - before).toBeLessThan(25)
  })

  it('collect when idle as long as nobody else reads them, states as well as rows', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { store, batches, gates } = heldStore()
    let isRead = false
    const queue = createWriteBehind<string, string, number>({
      store,
      log,
      gatherMs: 20,
      calmMs: 250,
      isCalm: () => !isRead
    })
    queue.setStateCalm('board', () => 1)
    await vi.advanceTimersByTimeAsync(100)
    queue.setStateCalm('board', () => 2)
    await vi.advanceTimersByTimeAsync(149)
    expect(batches).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(batches[0]?.states).toEqual(new Map([['board', 2]]))
    gates[0]?.resolve()
    await vi.advanceTimersByTimeAsync(1)
    isRead = true
    queue.addLog('a')
    void queue.gathered()
    await vi.advanceTimersByTimeAsync(20)
    expect(batches[1]?.logs).toEqual(['a'])
  })

  it('of state that may wait are written with the end, and known until then', async () => {
    const { store, batches, gates } = heldStore()
    const queue = createWriteBehind<string, string, { on?: boolean; at?: number }>({ store: store as never, log })
    queue.setStateLater('board', () => ({ on: true }))
    queue.addLog('a')
    await turn()
    expect(batches[0]).toMatchObject({ logs: ['a'], states: new Map(), isWhole: false })
    gates[0]?.resolve()
    await turn()
    expect(queue.unstoredState('board')).toEqual({ on: true })
    // A change that must be written takes along those that may wait.
    queue.setState('board', (earlier) => ({ ...earlier, at: 1 }))
    await turn()
    expect(batches[1]?.states).toEqual(new Map([['board', { on: true, at: 1 }]]))
    queue.setStateLater('board', (earlier) => ({ ...earlier, on: false }))
    expect(queue.unstoredState('board')).toEqual({ on: false, at: 1 })
    gates[1]?.resolve()
    await turn()
    const drained = queue.drain()
    await turn()
    expect(batches[2]).toMatchObject({ states: new Map([['board', { on: false }]]), isWhole: true })
    gates[2]?.resolve()
    await drained
    expect(queue.unstoredState('board')).toBeUndefined()
  })

  it('of state that may wait are written after 5,000 rows of the log', async () => {
    const { store, batches } = heldStore()
    const queue = createWriteBehind<string, string, number>({ store, log })
    queue.setStateLater('board', () => 1)
    for (let row = 0; row < 4999; row += 1) queue.addLog('row')
    expect(batches).toEqual([])
    queue.addLog('row')
    await turn()
    expect(batches[0]).toMatchObject({ states: new Map([['board', 1]]), isWhole: true })
  })

  it('are limited: beyond the limit they are refused', async () => {
    const { store } = heldStore()
    const queue = createWriteBehind<string, string, number>({ store, log, maxWaiting: 2 })
    queue.addLog('under way')
    await turn()
    queue.addLog('a')
    expect(queue.hasRoom()).toBe(true)
    queue.addLog('b')
    expect(queue.hasRoom()).toBe(false)
  })

  it('collect longer under load, so that fewer and larger batches are written, and are not held back at the end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { store, batches, gates } = heldStore()
    const queue = createWriteBehind<string, string, number>({ store, log, gatherMs: 20 })
    queue.addLog('a')
    await vi.advanceTimersByTimeAsync(20)
    expect(batches).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(25)
    queue.addLog('b')
    gates[0]?.resolve()
    await vi.advanceTimersByTimeAsync(74)
    queue.addLog('c')
    expect(batches).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(batches[1]?.logs).toEqual(['b', 'c'])

    await vi.advanceTimersByTimeAsync(500)
    queue.addLog('d')
    gates[1]?.resolve()
    await vi.advanceTimersByTimeAsync(99)
    expect(batches).toHaveLength(2)
    const drained = queue.drain()
    await turn()
    expect(batches[2]?.logs).toEqual(['d'])
    await vi.advanceTimersByTimeAsync(500)
    gates[2]?.resolve()
    await drained
    queue.addLog('e')
    await vi.advanceTimersByTimeAsync(99)
    expect(batches).toHaveLength(3)
    await vi.advanceTimersByTimeAsync(1)
    expect(batches[3]?.logs).toEqual(['e'])
  })
})
