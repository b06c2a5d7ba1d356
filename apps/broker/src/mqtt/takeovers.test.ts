import { beforeEach, describe, expect, it } from 'vitest'
import { createTakeovers, type Takeovers } from './takeovers.ts'

describe('takeovers of one client id', () => {
  let now = 0
  let takeovers: Takeovers
  beforeEach(() => {
    now = 1_000_000
    takeovers = createTakeovers({ free: 5, now: () => now })
  })
  const take = (times: number, everyMs = 1000) =>
    Array.from({ length: times }, () => {
      now += everyMs
      return takeovers.note('dev-a')
    })

  it('are allowed five times a minute for a board whose connection hangs; the sixth begins a quarantine of ten minutes', () => {
    expect(take(6)).toEqual([false, false, false, false, false, true])
    expect(takeovers.isQuarantined('dev-a')).toBe(true)
    expect(takeovers.isQuarantined('dev-b')).toBe(false)
    now += 10 * 60_000 - 1
    expect(takeovers.isQuarantined('dev-a')).toBe(true)
    now += 1
    expect(takeovers.isQuarantined('dev-a')).toBe(false)
    expect(take(5)).not.toContain(true)
  })

  it('are always allowed at a slow rate', () => {
    expect(take(100, 12_001)).not.toContain(true)
  })

  it('are forgotten, oldest first, after those of ten thousand other client ids', () => {
    take(5)
    for (let other = 0; other < 9_999; other += 1) takeovers.note(`dev-${other}`)
    expect(take(1, 0)).toEqual([true])
    take(5)
    for (let other = 0; other < 10_000; other += 1) takeovers.note(`dev-x${other}`)
    expect(take(1, 0)).toEqual([false])
  })

  it('are counted for a minute each', () => {
    expect([...take(5, 0), ...take(1, 59_999)]).toEqual([false, false, false, false, false, true])
    now += 10 * 60_000
    expect([...take(5, 0), ...take(1, 60_000)]).not.toContain(true)
  })

  it('are remembered from the last one, not from the first', () => {
    take(4)
    for (let other = 0; other < 9_999; other += 1) takeovers.note(`dev-${other}`)
    take(1, 0)
    takeovers.note('dev-newest')
    expect(take(1, 0)).toEqual([true])
  })

  it('quarantine ten thousand client ids at most, the latest', () => {
    const quarantine = (clientId: string) => {
      for (let time = 0; time < 6; time += 1) takeovers.note(clientId)
    }
    for (let other = 0; other < 10_000; other += 1) quarantine(`dev-${other}`)
    expect(takeovers.isQuarantined('dev-0')).toBe(true)
    quarantine('dev-a')
    expect(['dev-0', 'dev-1', 'dev-a'].map(takeovers.isQuarantined)).toEqual([false, true, true])
  })
})
