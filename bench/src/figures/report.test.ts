import { describe, expect, it } from 'vitest'
import { figure, isMet, markdownTable, textTable, type Report, type Row } from './report.ts'

const row = (over: Partial<Row> = {}): Row => ({
  what: 'round trip, p50',
  unit: 'ms',
  ours: 3,
  against: 2,
  goal: { ratio: 1.5, is: 'atMost' },
  ...over
})
const report = (rows: Row[]): Report => ({ name: 'toggle', about: 'A tap.', against: 'bare relay', rows })

describe('a goal', () => {
  it.each([
    ['at the limit', row(), true],
    ['beyond it', row({ ours: 3.01 }), false],
    ['a rate that is high enough', row({ ours: 60, against: 100, goal: { ratio: 0.6, is: 'atLeast' } }), true],
    ['a rate that is too low', row({ ours: 59, against: 100, goal: { ratio: 0.6, is: 'atLeast' } }), false],
    ['a figure without a promise', row({ goal: null }), null],
    ['a comparison that could not be measured', row({ against: Number.NaN }), false],
    ['nothing to compare with', row({ against: null }), false]
  ])('judges %s', (_what, given, met) => {
    expect(isMet(given)).toBe(met)
  })
})

describe('a report', () => {
  it('shows the measured value, the ratio and the goal', () => {
    const text = textTable(report([row(), row({ what: 'CPU', goal: null, against: null })]))
    expect(text).toMatch(/round trip, p50 +3\.00 ms +2\.00 ms +1\.50x +≤ 1\.5x +met/)
    expect(text).toContain('CPU')
  })
  it('is a table in Markdown', () => {
    expect(markdownTable(report([row({ ours: 4 })]))).toContain(
      '| round trip, p50 | 4.00 ms | 2.00 ms | 2.00x | ≤ 1.5x | missed |'
    )
  })
  it('shows three significant digits', () => {
    expect([0.4123, 3.911, 18.23, 9040.4, Number.NaN].map(figure)).toEqual(['0.412', '3.91', '18.2', '9040', '?'])
  })
})
