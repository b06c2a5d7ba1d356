import type { Reporter, TestModule } from 'vitest/node'

interface Fault {
  message?: string
  /** For an error outside of any test: the file that was running. */
  VITEST_TEST_PATH?: unknown
}

/** Formats `where: first line of the error`, for readers who see only the end of a long log. */
const line = (where: string, faults: readonly Fault[]): string =>
  `not passed: ${where}: ${faults[0]?.message?.split('\n')[0] ?? 'skipped'}`

function linesOf(testModule: TestModule): string[] {
  const tests = [...testModule.children.allTests()].filter((test) => !test.ok() || test.result().state === 'skipped')
  return [
    ...(testModule.errors().length > 0 ? [line(testModule.relativeModuleId, testModule.errors())] : []),
    ...tests.map((test) => line(`${testModule.relativeModuleId} > ${test.fullName}`, test.result().errors ?? []))
  ]
}

/** Repeats at the end, in short, what did not pass, including errors outside of any test. */
export default class NotPassedReporter implements Reporter {
  onTestRunEnd(testModules: readonly TestModule[], unhandled: readonly Fault[]): void {
    const lines = [
      ...testModules.flatMap(linesOf),
      ...unhandled.map((fault) => line(`outside any test, ${String(fault.VITEST_TEST_PATH)}`, [fault]))
    ]
    if (lines.length > 0) console.log(`\n${lines.join('\n')}`)
  }
}
