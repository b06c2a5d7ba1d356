import { sleep, type Timers } from '@batti/kit/clock'
import { isRecord } from '@batti/kit/json'
import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { ownBundleFolder } from '../bundle/own-bundle-folder.ts'
import { localCall } from '../local-call.ts'
import { openPartLog, type PartLog } from './part-log.ts'
import type { Part } from './parts.ts'
import { thisMachine } from './process-table.ts'
import { createStderrTail, type StderrTail } from './stderr-tail.ts'

const pollTimeoutMs = 2000
/**
 * How long an exit may take. In Node 24 it can hang for ever: https://github.com/nodejs/node/issues/64274. Without a limit
 * a part that has crashed would never be started again.
 */
const exitWithinMs = 5000
/** Limits V8's worker threads. By default each part has four, which compete with the main threads on two cores. */
const asManyThreadsAsCores = '--v8-pool-size=0'
/** Makes glibc return memory to the system after a reconnect storm. Other C libraries ignore these variables. */
const mallocSettings = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' }
/** Bundled parts contain the watchdog. */
const parentWatchdog =
  ownBundleFolder === null ? ['--import', new URL('./parent-watchdog.ts', import.meta.url).href] : []
const hasSignals = process.platform !== 'win32'

/** One process of a part, from its start to its end. */
export interface Life {
  child: ChildProcess
  words: StderrTail
  startedAt: number
  /** When it began to exit, which may hang; undefined if it did not say so. */
  endingAt?: number
  isReady(): Promise<boolean>
  /** Resolves with a description of how it ended. */
  ended: Promise<string>
  hasEnded: boolean
  /** Its code has changed since it was started. */
  isOutdated: boolean
  /** Resolves when it is outdated, or when the part is to stop. */
  over: PromiseWithResolvers<void>
}

interface LifeDeps {
  logFolder: string
  compileCache: string
  clock: Timers
  onLine?(line: string): void
  /** Called with the reason when its log cannot be written. */
  onLoss(error: unknown): void
  /** Whether it was asked to stop, which has a limit of its own. */
  isStopping(): boolean
}

/** Starts the part's program. What it prints goes to its log. */
export function startLife(part: Part, deps: LifeDeps): Life {
  const { clock } = deps
  const { ready } = part
  const args = [asManyThreadsAsCores, ...parentWatchdog, ...part.nodeArgs, part.program, ...part.args]
  const child = spawn(process.execPath, args, {
    cwd: part.cwd,
    env: { ...mallocSettings, NODE_COMPILE_CACHE: deps.compileCache, ...part.env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Its own process group: Ctrl-C reaches only the launcher, which then stops the parts in order.
    detached: hasSignals
  })
  const words = createStderrTail(() => clock.monotonic())
  const log = openPartLog(deps.logFolder, part.name, { onLoss: deps.onLoss })
  let saidReady = false
  hear(child.stderr, log, words.fromStderr)
  hear(child.stdout, log, (line) => {
    words.fromStdout(line)
    deps.onLine?.(line)
    if ('line' in ready && ready.line(line)) saidReady = true
  })
  const life: Life = {
    child,
    words,
    startedAt: clock.monotonic(),
    isReady: () => ('line' in ready ? Promise.resolve(saidReady) : answers(ready.url)),
    ended: whenEnded(child),
    hasEnded: false,
    isOutdated: false,
    over: Promise.withResolvers()
  }
  child.on('message', (message) => {
    if (!isRecord(message) || message['ending'] !== child.pid || deps.isStopping()) return
    life.endingAt ??= clock.monotonic()
    void sleep(clock, exitWithinMs).then(() => (life.hasEnded ? undefined : end(child)))
  })
  void life.ended.then(() => {
    life.hasEnded = true
    log.end()
  })
  return life
}

/** Resolves with `exit code 1` or `killed by SIGKILL`. An error of a running process, such as a refused signal, is no end. */
function whenEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(error.message)
    })
    child.on('close', (code, signal) => resolve(signal === null ? `exit code ${code}` : `killed by ${signal}`))
  })
}

/** Returns what a process said of its end, to follow a sentence; empty if it said nothing. */
export function causeOf({ words, endingAt }: Life): string {
  const why = words.latest(endingAt)
  return why === null ? '' : `: ${why.replace(/\.$/, '')}`
}

/** Asks a process to stop, and kills it after `ms`. */
export async function endWithin(current: Life, ms: number, clock: Timers): Promise<void> {
  if (hasSignals) current.child.kill('SIGTERM')
  else if (current.child.connected) current.child.disconnect()
  await Promise.race([current.ended, sleep(clock, ms)])
  if (current.hasEnded) return
  end(current.child)
  await Promise.race([current.ended, sleep(clock, 500)])
}

/** Kills it with its children. */
export function end(child: ChildProcess): void {
  if (child.pid !== undefined) thisMachine.kill(child.pid)
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await localCall(url, { timeoutMs: pollTimeoutMs })).status === 200
  } catch {
    return false
  }
}

function hear(stream: NodeJS.ReadableStream | null, log: PartLog, listen: (line: string) => void): void {
  if (stream === null) return
  stream.on('data', log.write)
  createInterface({ input: stream }).on('line', listen)
}
