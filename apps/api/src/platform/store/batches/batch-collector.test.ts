import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBatchCollector } from './batch-collector.ts'

interface State {
  on?: boolean
  at?: number
}
const waitsMs = 8 * 60_000

let late = 0
const openCollector = () => createBatchCollector<string, string, State>({ onLate: () => (late += 1) })

beforeEach(() => {
  late = 0
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

describe('the next batch', () => {
  it('counts its rows, commands and states, and none that are deferred', () => {
    const batches = openCollector()
    batches.addLog('row')
    batches.addCommand('command')
    batches.setState('lamp', () => ({ on: true }))
    batches.setStateLater('fan', () => ({ on: true }))
    expect([batches.size(), batches.isDue(), batches.hasLater()]).toEqual([3, true, true])
    batches.take()
    expect([batches.size(), batches.isDue(), batches.hasLater()]).toEqual([0, false, true])
  })

  it('has each state once, with everything that was set since the last batch', () => {
    const batches = openCollector()
    batches.setStateLater('lamp', () => ({ on: true }))
    batches.setStateLater('lamp', (earlier) => ({ ...earlier, at: 1 }))
    expect(batches.unstoredState('lamp')).toEqual({ on: true, at: 1 })
    batches.setState('lamp', (earlier) => ({ ...earlier, at: (earlier?.at ?? 0) + 1 }))
    batches.setState('lamp', (earlier) => ({ ...earlier, at: (earlier?.at ?? 0) + 1 }))
    batches.setStateLater('lamp', (earlier) => ({ ...earlier, on: false }))
    expect(batches.hasLater()).toBe(false)
    expect(batches.unstoredState('lamp')).toEqual({ on: false, at: 3 })
    expect([...batches.take().states]).toEqual([['lamp', { on: false, at: 3 }]])
  })

  it('is whole only if it takes deferred states along', () => {
    const batches = openCollector()
    batches.setStateLater('lamp', () => ({ on: true }))
    batches.addLog('row')
    expect(batches.take()).toMatchObject({ logs: ['row'], states: new Map(), isWhole: false })
    batches.takeLaterAlong(true)
    expect(batches.take()).toMatchObject({ logs: [], states: new Map([['lamp', { on: true }]]), isWhole: true })
    batches.addLog('row')
    expect(batches.take().isWhole).toBe(false)
  })
})

describe('deferred states', () => {
  it('are due after 5,000 rows, and again after as many', () => {
    const batches = openCollector()
    for (const round of [1, 2]) {
      batches.setStateLater('lamp', () => ({ at: round }))
      for (let row = 0; row < 4999; row += 1) batches.addLog('row')
      expect(batches.take().isWhole).toBe(false)
      batches.addLog('row')
      expect(batches.take()).toMatchObject({ states: new Map([['lamp', { at: round }]]), isWhole: true })
    }
  })

  it('are late eight minutes after the first of them, and of those that follow', () => {
    const batches = openCollector()
    batches.setStateLater('lamp', () => ({ at: 1 }))
    vi.advanceTimersByTime(waitsMs - 1)
    batches.setStateLater('lamp', () => ({ at: 2 }))
    expect([late, vi.getTimerCount()]).toEqual([0, 1])
    vi.advanceTimersByTime(1)
    expect(late).toBe(1)
    batches.takeLaterAlong(true)
    batches.take()
    batches.setStateLater('lamp', () => ({ at: 3 }))
    vi.advanceTimersByTime(waitsMs)
    expect(late).toBe(2)
  })

  it('that were taken along before that are not late', () => {
    const batches = openCollector()
    batches.setStateLater('lamp', () => ({ at: 1 }))
    batches.takeLaterAlong(true)
    batches.take()
    vi.advanceTimersByTime(waitsMs)
    expect(late).toBe(0)
  })
})
