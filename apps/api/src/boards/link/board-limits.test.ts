import { minuteMs } from '@batti/kit/durations'
import { createFakeClock } from '@batti/kit/testing'
import { describe, expect, it } from 'vitest'
import type { OwnedBoard } from '../reports/lookups-under-way.ts'
import { createBoardLimits } from './board-limits.ts'

type Limits = ReturnType<typeof createBoardLimits>

function setUp(changes: Partial<{ reportsPerSecond: number; logRowsPerMinute: number }> = {}) {
  const clock = createFakeClock()
  return { clock, limits: createBoardLimits(clock, { reportsPerSecond: 20, logRowsPerMinute: 60, ...changes }) }
}

/** Counts how often it is allowed in 1000 tries. */
const allowed = (isAllowed: () => boolean): number => Array.from({ length: 1000 }, isAllowed).filter(Boolean).length

const ownedBy = (userId: string | null) => (id: string) => ({ id, userId })
const boardOf = ownedBy('sita')

const kinds: [string, number, number, (limits: Limits, id: string) => boolean][] = [
  ['reports', 100, 20, ({ mayReport }, id) => mayReport(boardOf(id))],
  ['statuses', 10, 1, ({ mayTellStatus }, id) => mayTellStatus(boardOf(id))],
  ['percentages of a download', 50, 5, ({ mayTellProgress }, id) => mayTellProgress(id, true)],
  ['phases of an update', 50, 5, ({ mayTellProgress }, id) => mayTellProgress(id, false)],
  ['rows of the log', 300, 1, ({ mayLog }, id) => mayLog(boardOf(id), 1)]
]

describe('the limits of a board', () => {
  it.each(kinds)('allow bursts of its %s, and then so many a second', (_what, burst, perSecond, isAllowed) => {
    const { clock, limits } = setUp()
    expect(allowed(() => isAllowed(limits, 'one'))).toBe(burst)
    clock.advance(1000)
    expect(allowed(() => isAllowed(limits, 'one'))).toBe(perSecond)
    expect(allowed(() => isAllowed(limits, 'other'))).toBe(burst)
    limits.forget('one')
    expect(allowed(() => isAllowed(limits, 'one'))).toBe(burst)
  })

  it.each(kinds)('for %s leave the others alone', (_what, _burst, _perSecond, isAllowed) => {
    const { limits } = setUp()
    allowed(() => isAllowed(limits, 'one'))
    const others = kinds.filter((each) => each[3] !== isAllowed)
    expect(others.map(([, burst, , other]) => [burst, allowed(() => other(limits, 'one'))])).toEqual(
      others.map(([, burst]) => [burst, burst])
    )
  })

  it('are off together for benchmarks, except that for malformed messages', () => {
    const { clock, limits } = setUp({ reportsPerSecond: 0, logRowsPerMinute: 0 })
    expect(kinds.map(([, , , isAllowed]) => allowed(() => isAllowed(limits, 'one')))).toEqual(kinds.map(() => 1000))
    expect(allowed(() => limits.mayBeWrong('one'))).toBe(20)
    clock.advance(3000)
    expect(allowed(() => limits.mayBeWrong('one'))).toBe(1)
  })

  it('for rows count all rows of a report, or none of them', () => {
    const { limits } = setUp({ logRowsPerMinute: 2 })
    expect([8, 3, 2, 1].map((rows) => limits.mayLog(boardOf('one'), rows))).toEqual([true, false, true, false])
  })

  it('for rows let a report with more rows than a burst pass after a pause, and count them all', () => {
    const { clock, limits } = setUp({ logRowsPerMinute: 2 })
    const logsAll = () => limits.mayLog(boardOf('a board with 64 outlets'), 64)
    expect([logsAll(), logsAll()]).toEqual([true, false])
    clock.advance(31 * minuteMs)
    expect(logsAll()).toBe(false)
    clock.advance(minuteMs)
    expect(logsAll()).toBe(true)
  })
})

describe('the limits of an account', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => `board ${index}`)
  /** Counts what the boards of an account may do together, each of them trying 1000 times. */
  const together = (ids: readonly string[], isAllowed: (id: string) => boolean): number =>
    ids.reduce((sum, id) => sum + allowed(() => isAllowed(id)), 0)

  it.each([
    ['reports', 1000, 200, ({ mayReport }: Limits, board: OwnedBoard) => mayReport(board)],
    ['rows of the log', 3000, 10, ({ mayLog }: Limits, board: OwnedBoard) => mayLog(board, 1)]
  ] as const)('let its boards together send as many %s as ten boards may', (_what, burst, perSecond, isAllowed) => {
    const { clock, limits } = setUp()
    const of = (userId: string | null) =>
      together(hundred, (id) => isAllowed(limits, ownedBy(userId)(`${userId} ${id}`)))
    expect(of('hari')).toBe(burst)
    clock.advance(1000)
    expect(of('hari')).toBe(perSecond)
    expect(of('sita')).toBe(burst)
    expect(of(null)).toBe((burst / 10) * hundred.length)
  })
})
