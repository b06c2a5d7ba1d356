import { isRecord, parseJson } from '@batti/kit/json'

/** The part of vitest's JSON report that is used. */
interface Report {
  numTotalTests: number
  numPassedTests: number
  testResults: { status: string; assertionResults: { status: string }[] }[]
}

export interface Summary {
  passed: number
  failed: number
}

/**
 * Counts the results of a vitest run from its JSON report and exit code. Everything that did not pass counts as failed:
 * skipped tests, a file that failed before its tests, a missing report, and a run with an error outside of any test.
 */
export function summarize(reportText: string | null, exitCode: number): Summary {
  const report = reportText === null ? null : parseJson(reportText)
  if (!isReport(report)) return { passed: 0, failed: 1 }
  const { numTotalTests, numPassedTests, testResults } = report
  const brokenFiles = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')
  ).length
  const failed = numTotalTests - numPassedTests + brokenFiles
  return { passed: numPassedTests, failed: failed === 0 && (exitCode !== 0 || numPassedTests === 0) ? 1 : failed }
}

export const summaryLine = ({ passed, failed }: Summary): string => `${passed} passed, ${failed} failed`

const isReport = (value: unknown): value is Report =>
  isRecord(value) &&
  typeof value['numTotalTests'] === 'number' &&
  typeof value['numPassedTests'] === 'number' &&
  Array.isArray(value['testResults']) &&
  value['testResults'].every((file: unknown) => isRecord(file) && Array.isArray(file['assertionResults']))
