import { describe, expect, it } from 'vitest'
import { summarize, summaryLine } from './test-summary.ts'

const file = (name: string, status: string, ...tests: string[]) => ({
  name,
  status,
  assertionResults: tests.map((test) => ({ status: test }))
})
const report = (total: number, passed: number, ...testResults: ReturnType<typeof file>[]): string =>
  JSON.stringify({ numTotalTests: total, numPassedTests: passed, testResults })

describe('the final line of a test run', () => {
  it('counts what passed and what failed', () => {
    const text = report(3, 2, file('a.test.ts', 'passed', 'passed'), file('b.test.ts', 'failed', 'passed', 'failed'))
    expect(summaryLine(summarize(text, 1))).toBe('2 passed, 1 failed')
  })

  it('counts a skipped test and a todo as failed', () => {
    const text = report(3, 1, file('a.test.ts', 'passed', 'passed', 'skipped', 'todo'))
    expect(summarize(text, 0)).toEqual({ passed: 1, failed: 2 })
  })

  it('counts a file that failed before it had tests', () => {
    const text = report(1, 1, file('a.test.ts', 'passed', 'passed'), file('broken.test.ts', 'failed'))
    expect(summarize(text, 1)).toEqual({ passed: 1, failed: 1 })
  })

  it('counts an error outside any test', () => {
    expect(summarize(report(1, 1, file('a.test.ts', 'passed', 'passed')), 1)).toEqual({ passed: 1, failed: 1 })
  })

  it.each([
    ['there is no report', null],
    ['the report is cut off', '{"numTotalTests": 3, "num'],
    ['no test ran', report(0, 0)]
  ])('fails if %s', (_case, text) => {
    expect(summarize(text, 0)).toEqual({ passed: 0, failed: 1 })
  })
})
