import { minuteMs } from '@batti/kit/durations'
import { spawnSync } from 'node:child_process'
import type { ReportedHookContext, Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'

interface Process {
  pid: number
  parent: number
  /** As `ps` shows it: ids, age, state, command line. */
  line: string
}

function processes(): Process[] {
  const { stdout } = spawnSync('ps', ['-axwwo', 'pid,ppid,etime,stat,args'], { encoding: 'utf8', timeout: minuteMs })
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, pid, parent] = /^ *(\d+) +(\d+) /.exec(line) ?? []
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), line }]
  })
}

/** Returns what the process has started, each followed by what that has started. */
function startedBy(pid: number, all: readonly Process[]): Process[] {
  return all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...startedBy(child.pid, all)])
}

/** Looks without a sign before a run counts as blocked. Looks, not time: a machine may sleep meanwhile. */
const looks = 10

/**
 * Ends a run that would never end, and says what it waited for. A limit of a test cannot end a file that blocks its event loop: by
 * an endless loop, or while it waits for another process. Files beside it go on; the run counts as blocked when these are done.
 */
export default class StalledReporter implements Reporter {
  readonly #afterMs: number
  readonly #running = new Set<string>()
  #latest = 'the start of the run'
  #looksSince = 0
  #timer: NodeJS.Timeout | undefined

  /** `afterMs`: longer than the longest limit of a test or a hook (vitest.config.ts). */
  constructor({ afterMs = 7 * minuteMs }: { afterMs?: number } = {}) {
    this.#afterMs = afterMs
  }

  onTestRunStart(): void {
    this.#timer = setInterval(() => this.#look(), this.#afterMs / looks).unref()
  }
  onTestRunEnd(): void {
    clearInterval(this.#timer)
  }
  onTestModuleQueued(file: TestModule): void {
    this.#running.add(file.relativeModuleId)
    this.#hear(file)
  }
  onTestModuleEnd(file: TestModule): void {
    this.#running.delete(file.relativeModuleId)
    this.#hear(file)
  }
  onTestModuleCollected = (file: TestModule): void => this.#hear(file)
  onTestSuiteReady = (suite: TestSuite): void => this.#hear(suite.module)
  onTestSuiteResult = (suite: TestSuite): void => this.#hear(suite.module)
  onTestCaseReady = (test: TestCase): void => this.#hear(test.module)
  onTestCaseResult = (test: TestCase): void => this.#hear(test.module)
  onHookStart = ({ entity }: ReportedHookContext): void => this.#hear(entity.type === 'module' ? entity : entity.module)
  onHookEnd = this.onHookStart

  #hear({ relativeModuleId: file }: TestModule): void {
    this.#latest = file
    this.#looksSince = 0
  }

  #look(): void {
    this.#looksSince += 1
    if (this.#looksSince <= looks) return
    clearInterval(this.#timer)
    const started = startedBy(process.pid, processes())
    console.log(['', ...started.map(({ line }) => line.slice(0, 200))].join('\n'))
    const seconds = Math.round(this.#afterMs / 1000)
    const silent = this.#running.size > 0 ? [...this.#running] : [`what followed ${this.#latest}`]
    console.log(silent.map((file) => `not passed: ${file}: nothing was heard for ${seconds} s`).join('\n'))
    // A worker that hangs would prevent an orderly end.
    for (const { pid } of started) kill(pid)
    kill(process.pid)
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
