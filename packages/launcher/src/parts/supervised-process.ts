import { backoffMs } from '@batti/kit/backoff'
import { messageOf } from '@batti/kit/message-of'
import { sleep, type Timers } from '@batti/kit/clock'
import { hourMs, minuteMs } from '@batti/kit/durations'
import { isRecord } from '@batti/kit/json'
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ownBundleFolder } from '../bundle/own-bundle-folder.ts'
import { createStderrTail, type StderrTail } from './stderr-tail.ts'
import { LaunchError } from '../launch-error.ts'
import { localCall } from '../local-call.ts'
import type { Part } from './parts.ts'
import { openPartLog, type PartLog } from './part-log.ts'
import { slowStartMs, startWithinMs, waitForStart } from './start-deadline.ts'

export interface SupervisedProcess {
  readonly part: Part
  pid(): number | null
  /** Starts it and resolves when it is ready. @throws LaunchError with its stderr when it ends before. */
  start(): Promise<void>
  /** Starts it anew, with its changed code. */
  renew(): void
  /** Asks it to stop, and kills it after `ms`. It is not restarted. */
  stop(ms: number): Promise<void>
  /** Kills it and its children at once. */
  kill(): void
}

export interface SupervisedProcessDeps {
  logFolder: string
  /** Folder of Node's compile cache, which speeds up the next start. */
  compileCache: string
  clock: Timers
  random: () => number
  /** Prints one line for the user. */
  say(line: string): void
  /** Called after each start and end of the process. */
  changed(): void
  /** Called when it has ended and cannot be started again, because its program no longer exists. */
  lost(part: Part): void
  onLine?(line: string): void
}

const pollTimeoutMs = 2000
/** How long a process with outdated code may take to stop. */
const renewWithinMs = 4000
const restartDelays = { firstMs: 500, longestMs: 30_000, jitter: 0.2 }
/**
 * How long an exit may take. In Node 24 it can hang for ever: https://github.com/nodejs/node/issues/64274. Without a limit
 * a part that has crashed would never be started again.
 */
const exitWithinMs = 5000
/** A part that ran this long has recovered: its next crash counts as the first one again. */
const steadyAfterMs = minuteMs
/** The interval between two messages about a log that cannot be written. */
const lossAgainMs = hourMs
/** Limits V8's worker threads. By default each part has four, which compete with the main threads on two cores. */
const asManyThreadsAsCores = '--v8-pool-size=0'
/** Makes glibc return memory to the system after a reconnect storm. Other C libraries ignore these variables. */
const mallocSettings = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' }
/** Bundled parts contain the watchdog. */
const parentWatchdog =
  ownBundleFolder === null ? ['--import', new URL('./parent-watchdog.ts', import.meta.url).href] : []
const hasSignals = process.platform !== 'win32'

/** One process of the part, from its start to its end. */
interface Life {
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

/** Keeps one part running: starts it, waits until it is ready, reports why it crashed, and restarts it with back-off. */
export function createSupervisedProcess(part: Part, parts: SupervisedProcessDeps): SupervisedProcess {
  const { clock, random, say, changed } = parts
  const { ready, isWatched = false } = part
  const stopping = new AbortController()
  let life: Life | null = null
  let lossSaidAt = -Infinity

  /** The log of a read-only disk cannot contain why nothing is stored any more. */
  function sayLoss(error: unknown): void {
    if (clock.monotonic() - lossSaidAt < lossAgainMs) return
    lossSaidAt = clock.monotonic()
    say(`${join(parts.logFolder, `${part.name}.log`)} cannot be written, its lines are lost: ${messageOf(error)}.`)
  }

  function launch(): Life {
    const args = [asManyThreadsAsCores, ...parentWatchdog, ...part.nodeArgs, part.program, ...part.args]
    const child = spawn(process.execPath, args, {
      cwd: part.cwd,
      env: { ...mallocSettings, NODE_COMPILE_CACHE: parts.compileCache, ...part.env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Its own process group: Ctrl-C reaches only the launcher, which then stops the parts in order.
      detached: hasSignals
    })
    const words = createStderrTail(() => clock.monotonic())
    const log = openPartLog(parts.logFolder, part.name, { onLoss: sayLoss })
    let saidReady = false
    hear(child.stderr, log, words.fromStderr)
    hear(child.stdout, log, (line) => {
      words.fromStdout(line)
      parts.onLine?.(line)
      if ('line' in ready && ready.line(line)) saidReady = true
    })
    const next: Life = {
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
      // A stop has a limit of its own.
      if (!isRecord(message) || message['ending'] !== child.pid || stopping.signal.aborted) return
      next.endingAt ??= clock.monotonic()
      void sleep(clock, exitWithinMs).then(() => (next.hasEnded ? undefined : end(child)))
    })
    void next.ended.then(() => {
      next.hasEnded = true
      log.end()
      changed()
    })
    life = next
    changed()
    return next
  }

  /** Resolves when the code has changed since a process that has ended was started, or when the part is to stop. */
  async function whenChanged(last: Life): Promise<void> {
    if (!last.isOutdated)
      say(
        `${part.title} does not run${causeOf(last)}. Where, says ${join(parts.logFolder, `${part.name}.log`)}. ` +
          'The next change of its code starts it again.'
      )
    await last.over.promise
  }

  /** Resolves with true when it is ready; with false when it ended before that, or was killed because it took too long. */
  async function whenReady(current: Life): Promise<boolean> {
    let isReady = false
    const isOver = async (): Promise<boolean> => {
      if (current.hasEnded || stopping.signal.aborted) return true
      isReady = await current.isReady()
      return isReady
    }
    const isOverInTime = await waitForStart(clock, isOver, () =>
      say(`${part.title} is still starting after ${slowStartMs / 1000} s: this machine is slow or busy. Waiting …`)
    )
    if (!isOverInTime) {
      current.words.fromStderr(`${part.title} was not ready after ${startWithinMs / minuteMs} minutes.`)
      end(current.child)
      await current.ended
    }
    return isReady && !current.hasEnded
  }

  async function keep(first: Life): Promise<void> {
    let failures = 0
    for (let current = first; ;) {
      const how = await current.ended
      if (stopping.signal.aborted) return
      if (isWatched) await whenChanged(current)
      else {
        if (!existsSync(part.program)) return parts.lost(part)
        failures = clock.monotonic() - current.startedAt >= steadyAfterMs ? 1 : failures + 1
        const delayMs = backoffMs(failures, restartDelays, random)
        const delay = (delayMs / 1000).toFixed(1)
        say(`${part.title} died (${how})${causeOf(current)}. Starting it again in ${delay} s.`)
        await sleep(clock, delayMs, stopping.signal)
      }
      if (stopping.signal.aborted) return
      current = launch()
      const back = isWatched ? 'runs with its changed code' : `is back (process ${current.child.pid ?? 'unknown'})`
      if (await whenReady(current)) say(`${part.title} ${back}.`)
    }
  }

  return {
    part,
    pid: () => (life === null || life.hasEnded ? null : (life.child.pid ?? null)),
    async start() {
      let first = launch()
      while (!(await whenReady(first))) {
        if (stopping.signal.aborted) return
        const how = await first.ended
        if (!isWatched) throw new LaunchError(first.words.stderr() || `${part.title} could not start (${how}).`)
        await whenChanged(first)
        if (stopping.signal.aborted) return
        first = launch()
      }
      void keep(first)
    },
    renew() {
      if (life === null || life.isOutdated || stopping.signal.aborted) return
      life.isOutdated = true
      life.over.resolve()
      if (!life.hasEnded) void endWithin(life, renewWithinMs, clock)
    },
    async stop(ms) {
      stopping.abort()
      life?.over.resolve()
      if (life !== null && !life.hasEnded) await endWithin(life, ms, clock)
    },
    kill() {
      stopping.abort()
      life?.over.resolve()
      if (life !== null && !life.hasEnded) end(life.child)
    }
  }
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
function causeOf({ words, endingAt }: Life): string {
  const why = words.latest(endingAt)
  return why === null ? '' : `: ${why.replace(/\.$/, '')}`
}

/** Asks a process to stop, and kills it after `ms`. */
async function endWithin(current: Life, ms: number, clock: Timers): Promise<void> {
  if (hasSignals) current.child.kill('SIGTERM')
  else if (current.child.connected) current.child.disconnect()
  await Promise.race([current.ended, sleep(clock, ms)])
  if (current.hasEnded) return
  end(current.child)
  await Promise.race([current.ended, sleep(clock, 500)])
}

/** Kills it with its children. */
function end(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(hasSignals ? -child.pid : child.pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
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
