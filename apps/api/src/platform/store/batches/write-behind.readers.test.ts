import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { heldStore, turn } from '../../../testing/held-store.ts'
import { createWriteBehind } from './write-behind.ts'

const log = pino({ level: 'silent' })
const gather = { gatherMs: 20, calmMs: 250 }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => void vi.useRealTimers())
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

function setUp(options: Partial<Parameters<typeof createWriteBehind<string, string, number>>[0]> = {}) {
  const held = heldStore()
  const queue = createWriteBehind<string, string, number>({ store: held.store, log, ...options })
  const over: string[] = []
  const note = (name: string, wait: Promise<boolean | void>): void =>
    void wait.then((answer) => over.push(typeof answer === 'boolean' ? `${name}: ${answer}` : name))
  return { ...held, queue, over, note }
}

describe('who waits for changes', () => {
  it('and finds them being written, waits until they are', async () => {
    const { queue, gates, over, note } = setUp()
    queue.addLog('a')
    await turn()
    note('reader', queue.caughtUp(60_000))
    await turn()
    expect(over).toEqual([])
    gates[0]?.resolve()
    await turn()
    gates[1]?.resolve()
    await turn()
    expect(over).toEqual(['reader: true'])
  })

  it('hurries them, whoever it is; the next ones gather again', async () => {
    const { queue, batches, gates } = setUp(gather)
    const urgent = [
      () => queue.stored(),
      () => queue.caughtUp(60_000),
      () => queue.settle(),
      () => Promise.resolve(queue.setState('lamp', () => 1))
    ]
    for (const [index, ask] of urgent.entries()) {
      queue.addLog('a')
      void ask()
      await pass(20)
      expect(batches).toHaveLength(2 * index + 1)
      gates[2 * index]?.resolve()
      await pass(1)
      queue.addLog('b')
      await pass(249)
      expect(batches).toHaveLength(2 * index + 1)
      await pass(1)
      expect(batches).toHaveLength(2 * index + 2)
      gates[2 * index + 1]?.resolve()
      await pass(1)
    }
  })

  it('for all of them, waits for what is added meanwhile too, and later changes gather again', async () => {
    const { queue, batches, gates, over, note } = setUp(gather)
    queue.addLog('a')
    await pass(250)
    note('drained', queue.drain())
    queue.addLog('b')
    gates[0]?.resolve()
    await turn()
    expect([batches.length, over]).toEqual([2, []])
    gates[1]?.resolve()
    await turn()
    expect(over).toEqual(['drained'])
    queue.addLog('c')
    await turn()
    expect(batches).toHaveLength(2)
  })

  it('for all of them, while none are being written, has them written once', async () => {
    const { queue, batches } = setUp()
    queue.addLog('a')
    void queue.drain()
    await turn()
    expect(batches).toHaveLength(1)
  })

  it('is told at once if there is nothing to wait for', async () => {
    const { queue, batches } = setUp()
    expect(await queue.caughtUp(60_000)).toBe(true)
    await queue.drain()
    expect(batches).toEqual([])
  })
})

describe('deferred states', () => {
  const wholeBatch = { states: new Map([['lamp', 1]]), isWhole: true }

  it('are written for whoever settles the store, and not for a reader', async () => {
    const { queue, batches, gates, over, note } = setUp(gather)
    queue.setStateLater('lamp', () => 1)
    note('reader', queue.caughtUp(60_000))
    await pass(1000)
    expect([batches, over]).toEqual([[], ['reader: true']])
    note('settled', queue.settle())
    await pass(20)
    expect(batches[0]).toMatchObject(wholeBatch)
    expect(over).toHaveLength(1)
    gates[0]?.resolve()
    await pass(1)
    expect(over).toHaveLength(2)
  })

  it('are written when they are late, though nothing else is', async () => {
    const { queue, batches } = setUp(gather)
    queue.setStateLater('lamp', () => 1)
    await pass(480_000)
    expect(batches).toEqual([])
    await pass(20)
    expect(batches[0]).toMatchObject(wholeBatch)
  })
})

it('the number of waiting entries is reported, and none once they are being written', async () => {
  const lengths: number[] = []
  const { queue, gates } = setUp({ onQueue: (length) => lengths.push(length) })
  queue.addCommand('command')
  queue.addLog('a')
  queue.addLog('b')
  await turn()
  gates[0]?.resolve()
  expect(lengths).toEqual([2, 3, 0])
})
