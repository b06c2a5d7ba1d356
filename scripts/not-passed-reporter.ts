import type { Reporter, TestModule } from 'vitest/node'

interface Fault {
  message?: string
  /** Of an error outside any test: the file that ran when it came. */
  VITEST_TEST_PATH?: unknown
}

/** `where: first line of what went wrong`, a line each, for whoever sees only the end of a long log. */
const line = (where: string, faults: readonly Fault[]): string =>
  `not passed: ${where}: ${faults[0]?.message?.split('\n')[0] ?? 'skipped'}`

function linesOf(testModule: TestModule): string[] {
  const tests = [...testModule.children.allTests()].filter((test) => !test.ok() || test.result().state === 'skipped')
  return [
    ...(testModule.errors().length > 0 ? [line(testModule.relativeModuleId, testModule.errors())] : []),
    ...tests.map((test) => line(`${testModule.relativeModuleId} > ${test.fullName}`, test.result().errors ?? []))
  ]
}

/** Says at the end, once more and in short, what did not pass, errors outside any test too. */
export default class NotPassedReporter implements Reporter {
  onTestRunEnd(testModules: readonly TestModule[], unhandled: readonly Fault[]): void {
    const lines = [
      ...testModules.flatMap(linesOf),
      ...unhandled.map((fault) => line(`outside any test, ${String(fault.VITEST_TEST_PATH)}`, [fault]))
    ]
    if (lines.length > 0) console.log(`\n${lines.join('\n')}`)
  }
}
