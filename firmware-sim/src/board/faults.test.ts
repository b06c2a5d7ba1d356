import { createFakeClock } from '@batti/kit/testing'
import { describe, expect, test } from 'vitest'
import { createFaults, faultPatch } from './faults.ts'

/** Random values in a fixed, evenly distributed order. */
function evenChances(): () => number {
  let at = 0
  return () => (at = (at + 0.618_033_988_75) % 1)
}

function faulty(patch: Parameters<typeof createFaults>[2] = {}) {
  const clock = createFakeClock(0)
  const faults = createFaults(clock, evenChances(), patch)
  const arrived: number[] = []
  let lost = 0
  const report = (number: number): void =>
    faults.outbound(
      true,
      () => arrived.push(number),
      () => (lost += 1)
    )
  return { clock, faults, arrived, report, lost: () => lost }
}

describe('faults', () => {
  test('set to none pass everything at once, in order', () => {
    const { arrived, report } = faulty()
    for (let number = 0; number < 5; number += 1) report(number)
    expect(arrived).toEqual([0, 1, 2, 3, 4])
  })

  test('of latency delay by the latency, and at most the jitter more', () => {
    const { clock, arrived, report } = faulty({ latencyMs: 200, jitterMs: 50 })
    report(1)
    clock.advance(199)
    expect(arrived).toEqual([])
    clock.advance(51)
    expect(arrived).toEqual([1])
  })

  test('of loss drop their share and report it', () => {
    const { arrived, report, lost } = faulty({ reportLoss: 0.3 })
    for (let number = 0; number < 1000; number += 1) report(number)
    expect(lost()).toBeGreaterThan(280)
    expect(lost()).toBeLessThan(320)
    expect(arrived.length + lost()).toBe(1000)
  })

  test('of order shuffle within a window and lose nothing, also when the window never fills', () => {
    const { clock, arrived, report } = faulty({ reorder: 10 })
    for (let number = 0; number < 15; number += 1) report(number)
    expect(arrived).not.toEqual(arrived.toSorted((a, b) => a - b))
    clock.advance(1000)
    expect(arrived.toSorted((a, b) => a - b)).toEqual([...Array(15).keys()])
  })

  test('distinguish commands from acknowledgements', () => {
    const { faults } = faulty({ silent: true })
    const heard: string[] = []
    for (const isAck of [false, true]) {
      faults.inbound(
        isAck,
        () => heard.push(isAck ? 'ack' : 'command'),
        (why) => heard.push(why)
      )
    }
    expect(heard).toEqual(['silent', 'ack'])
  })

  test('are changed one by one, within their limits', () => {
    const { faults } = faulty({ latencyMs: 100 })
    faults.change({ ackLoss: 0.5 })
    expect(faults.settings()).toMatchObject({ latencyMs: 100, ackLoss: 0.5 })
    expect(faultPatch.parse({ silent: true })).toEqual({ silent: true })
    expect(() => faults.change({ ackLoss: 1.5 })).toThrow('ackLoss')
  })
})
