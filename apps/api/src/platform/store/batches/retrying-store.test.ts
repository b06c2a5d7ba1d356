import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { createRetryingStore } from './retrying-store.ts'

test('a batch is tried again after longer and longer delays, and complained of once in a while', async () => {
  vi.useFakeTimers()
  try {
    const lines: string[] = []
    let triedAt: number[] = []
    let failures = 0
    const { storeUntilDone, isHealthy } = createRetryingStore({
      store() {
        triedAt.push(Date.now())
        return failures-- > 0 ? Promise.reject(new Error('away')) : Promise.resolve()
      },
      log: pino({ level: 'info' }, { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) }),
      retryMs: 250
    })
    const storeAfter = async (count: number): Promise<number[]> => {
      triedAt = []
      failures = count
      const stored = storeUntilDone('batch')
      await vi.advanceTimersByTimeAsync(1)
      expect(isHealthy()).toBe(count === 0)
      await vi.runAllTimersAsync()
      await stored
      expect(isHealthy()).toBe(true)
      return triedAt.slice(1).map((at, index) => at - (triedAt[index] ?? 0))
    }
    const [again, failed] = ['the database stores changes again', 'changes could not be stored; trying again']
    expect(await storeAfter(0)).toEqual([])
    expect(lines).toEqual([])
    expect(await storeAfter(1)).toEqual([250])
    expect(lines.splice(0)).toEqual([failed, again])
    expect((await storeAfter(100)).slice(0, 10)).toEqual([250, 500, 750, 1000, 1250, 1500, 1750, 2000, 2000, 2000])
    expect(lines).toEqual([failed, failed, failed, again])
  } finally {
    vi.useRealTimers()
  }
})
