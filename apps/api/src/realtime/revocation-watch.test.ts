import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRevocationWatch } from './revocation-watch.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

/** A watch whose lookups wait until the test ends them. */
function setUp({ areOthersHeard = false } = {}) {
  const looks: PromiseWithResolvers<void>[] = []
  const warnings: string[] = []
  const heard = { areOthers: areOthersHeard }
  const watch = createRevocationWatch({
    areOthersHeard: () => heard.areOthers,
    lookEveryMs: 1000,
    look() {
      const look = Promise.withResolvers<void>()
      looks.push(look)
      return look.promise
    },
    log: pino({ level: 'warn' }, { write: (line) => void warnings.push(line) })
  })
  watch.start()
  const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)
  return { looks, warnings, heard, watch, pass }
}

test('while others are not heard, revocations are looked up a second after each lookup, and not when they are heard', async () => {
  const { looks, heard, pass } = setUp()
  await pass(10_000)
  expect(looks).toHaveLength(1)
  looks[0]?.resolve()
  await pass(999)
  expect(looks).toHaveLength(1)
  await pass(1)
  expect(looks).toHaveLength(2)
  heard.areOthers = true
  looks[1]?.resolve()
  await pass(10_000)
  expect(looks).toHaveLength(2)
  heard.areOthers = false
  await pass(1000)
  expect(looks).toHaveLength(3)
})

test('a lookup that failed, here or elsewhere, is made again until it succeeds, and complained of once', async () => {
  const { looks, warnings, watch, pass } = setUp({ areOthersHeard: true })
  await pass(5000)
  expect(looks).toEqual([])
  watch.owe(new Error('elsewhere'))
  await pass(1000)
  looks[0]?.reject(new Error('here'))
  await pass(1000)
  looks[1]?.resolve()
  await pass(5000)
  expect([looks.length, warnings.length]).toEqual([2, 1])
  watch.owe(new Error('elsewhere'))
  await pass(1000)
  expect([looks.length, warnings.length]).toEqual([3, 2])
})

test('a lookup that failed is made again although others are heard by then', async () => {
  const { looks, heard, pass } = setUp()
  await pass(1000)
  heard.areOthers = true
  looks[0]?.reject(new Error('here'))
  await pass(1000)
  expect(looks).toHaveLength(2)
})

test('a lookup that fails elsewhere during one that succeeds is made again: that one may have begun too early', async () => {
  const { looks, heard, watch, pass } = setUp()
  await pass(1000)
  watch.owe(new Error('elsewhere'))
  looks[0]?.resolve()
  heard.areOthers = true
  await pass(1000)
  expect(looks).toHaveLength(2)
})

test('nothing is looked up after the stop, also if one lookup was under way', async () => {
  const { looks, watch, pass } = setUp()
  await pass(1000)
  watch.stop()
  looks[0]?.resolve()
  await pass(10_000)
  expect([looks.length, vi.getTimerCount()]).toEqual([1, 0])
  const idle = setUp()
  idle.watch.stop()
  await idle.pass(10_000)
  expect(idle.looks).toEqual([])
})
