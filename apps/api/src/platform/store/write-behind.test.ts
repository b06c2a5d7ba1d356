import { pino } from 'pino'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createWriteBehind, type StoreBatch } from './write-behind.ts'

const log = pino({ level: 'silent' })
type Batch = StoreBatch<string, string, number>

/** A store whose writes wait until the test lets them through or fails them. */
function heldStore() {
  const batches: Batch[] = []
  const gates: PromiseWithResolvers<void>[] = []
  const store = (batch: Batch): Promise<void> => {
    batches.push(structuredClone(batch))
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    return gate.promise
  }
  return { store, batches, gates }
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

describe('changes on their way to the database', () => {
  it('of one turn of the event loop go in one batch, and the next batch collects while it is written', async () => {
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

  it('of one thing are written once, the newest', async () => {
    const { store, batches } = heldStore()
    const queue = createWriteBehind<string, string, number>({ store, log })
    for (const value of [1, 2, 3]) queue.setState('board', () => value)
    await turn()
    expect([...(batches[0]?.states ?? [])]).toEqual([['board', 3]])
  })

  it('are told to be stored only when they are', async () => {
    const { store, gates } = heldStore()
    const queue = createWriteBehind<string, string, number>({ store, log })
    const told: string[] = []
    queue.addLog('first')
    void queue.stored().then(() => told.push('first'))
    await turn()
    queue.addLog('second')
    void queue.stored().then(() => told.push('second'))
    await turn()
    expect(told).toEqual([])
    gates[0]?.resolve()
    await turn()
    expect(told).toEqual(['first'])
    gates[1]?.resolve()
    await queue.drain()
    expect(told).toEqual(['first', 'second'])
  })

  it('are tried again when the database refuses, and nothing is told meanwhile', async () => {
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

  it('are bounded: beyond the bound there is no room', async () => {
    const { store } = heldStore()
    const queue = createWriteBehind<string, string, number>({ store, log, maxWaiting: 2 })
    queue.addLog('under way')
    await turn()
    queue.addLog('a')
    expect(queue.hasRoom()).toBe(true)
    queue.addLog('b')
    expect(queue.hasRoom()).toBe(false)
  })

  it('of a busy time gather for longer, so that fewer and larger batches are written, and are not held back at the end', async () => {
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
    gates[2]?.resolve()
    await drained
  })
})
