import { describe, expect, it } from 'vitest'
import { createPacketBudget } from './packet-budget.ts'

describe('the packet budget', () => {
  it('lets a burst pass, then so many a second', () => {
    let now = 0
    const budget = createPacketBudget({ perSecond: 100, burst: 200 }, () => now)
    expect(budget?.available()).toBe(200)
    budget?.spend(200)
    expect(budget?.available()).toBe(0)
    expect(budget?.msUntilNext()).toBe(10)
    now = 10
    expect(budget?.available()).toBe(1)
    now = 510
    expect(budget?.available()).toBe(51)
    now = 60_000
    expect(budget?.available()).toBe(200)
  })

  it('never asks a home to wait that sends 20 reports a second and 100 at once', () => {
    let now = 0
    const budget = createPacketBudget({ perSecond: 100, burst: 200 }, () => now)
    for (let second = 0; second < 60; second += 1) {
      for (const packets of [...(second % 10 === 0 ? [100] : []), 20, 1]) {
        expect(budget?.available()).toBeGreaterThanOrEqual(packets)
        budget?.spend(packets)
      }
      now += 1000
    }
  })

  it('is not there when it is turned off', () => {
    expect(createPacketBudget({ perSecond: 0, burst: 200 }, () => 0)).toBeNull()
  })
})
