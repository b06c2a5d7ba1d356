import { backoffMs } from '@batti/kit/backoff'
import { sleep, type Timers } from '@batti/kit/clock'
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { bundlesHere } from '../bundle/here.ts'
import { createStderrTail, type StderrTail } from './stderr-tail.ts'
import { LaunchError } from '../launch-error.ts'
import { localCall } from '../local-call.ts'
import type { Part } from './parts.ts'
import { openPartLog, type PartLog } from './part-log.ts'
import { slowStartMs, startWithinMs, waitForStart } from './start-deadline.ts'

export interface SupervisedProcess {
  readonly part: Part
  pid(): number | null
  /** Starts it and resolves when it is ready. @throws LaunchError with its own words when it ends before. */
  start(): Promise<void>
  /** Asks it to stop, and kills it when it has not within `ms`. It is not started again. */
  stop(ms: number): Promise<void>
  /** Ends it, and all it has started, at once. */
  kill(): void
}

export interface SupervisedProcessDeps {
  logFolder: string
  /** Where node keeps what it compiled: the next start need not do it again. */
  compileCache: string
  clock: Timers
  random: () => number
  /** One line for a person. */
  say(line: string): void
  /** After each change of its process. */
  changed(): void
  onLine?(line: string): void
}

const pollTimeoutMs = 2000
const restartDelays = { firstMs: 500, longestMs: 30_000, jitter: 0.2 }
/** A part that ran this long has recovered: its next death is a first one again. */
const steadyAfterMs = 60_000
/** Of V8's helpers. Left alone, each part has four: on two cores they crowd out the parts that answer people. */
const asManyThreadsAsCores = '--v8-pool-size=0'
/** What is freed after a storm of connections goes back to the system; glibc keeps it otherwise. Others do not know these names. */
const frugalMalloc = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' }
/** Bundled parts hold it. */
const parentWatchdog = bundlesHere === null ? ['--import', new URL('./parent-watchdog.ts', import.meta.url).href] : []
const hasSignals = process.platform !== 'win32'

/** One process of the part, from its start to its end. */
interface Life {
  child: ChildProcess
  words: StderrTail
  startedAt: number
  isReady(): Promise<boolean>
  /** How it ended. */
  ended: Promise<string>
  hasEnded: boolean
}

/** Keeps one part running: starts it, knows when it is ready, says why it died, and starts it again with back-off. */
export function createSupervisedProcess(part: Part, parts: SupervisedProcessDeps): SupervisedProcess {
  const { clock, random, say, changed } = parts
  const { ready } = part
  const stopping = new AbortController()
  let life: Life | null = null

  function launch(): Life {
    const child = spawn(process.execPath, [asManyThreadsAsCores, ...parentWatchdog, ...part.args], {
      cwd: part.cwd,
      env: { ...frugalMalloc, NODE_COMPILE_CACHE: parts.compileCache, ...part.env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // A group of its own: Ctrl-C reaches the launcher alone, which then stops the parts one after another.
      detached: hasSignals
    })
    const words = createStderrTail(() => clock.monotonic())
    const log = openPartLog(parts.logFolder, part.name)
    let saidReady = false
    hear(child.stderr, log, words.fromStderr)
    hear(child.stdout, log, (line) => {
      words.fromStdout(line)
      parts.onLine?.(line)
      if ('line' in ready && ready.line(line)) saidReady = true
      // Its error may come by the other stream a moment later.
      if (isWaitingForChange(line)) setImmediate(() => say(waitingLine(words.latest())))
    })
    const next: Life = {
      child,
      words,
      startedAt: clock.monotonic(),
      isReady: () => ('line' in ready ? Promise.resolve(saidReady) : answers(ready.url)),
      ended: whenEnded(child),
      hasEnded: false
    }
    void next.ended.then(() => {
      next.hasEnded = true
      log.end()
      changed()
    })
    life = next
    changed()
    return next
  }

  const waitingLine = (why: string | null): string =>
    `${part.title} does not run${why === null ? '' : `: ${why.replace(/\.$/, '')}`}. ` +
    `Where, says ${join(parts.logFolder, `${part.name}.log`)}. The next change starts it again; if not, start anew.`

  /** Resolves true when it is ready; false when it ended before, or took too long and was ended. */
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
      current.words.fromStderr(`${part.title} was not ready after ${startWithinMs / 60_000} minutes.`)
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
      failures = clock.monotonic() - current.startedAt >= steadyAfterMs ? 1 : failures + 1
      const delayMs = backoffMs(failures, restartDelays, random)
      const why = current.words.latest()
      const cause = why === null ? '' : `: ${why.replace(/\.$/, '')}`
      say(`${part.title} died (${how})${cause}. Starting it again in ${(delayMs / 1000).toFixed(1)} s.`)
      await sleep(clock, delayMs, stopping.signal)
      if (stopping.signal.aborted) return
      current = launch()
      if (await whenReady(current)) say(`${part.title} is back (process ${current.child.pid ?? 'unknown'}).`)
    }
  }

  return {
    part,
    pid: () => (life === null || life.hasEnded ? null : (life.child.pid ?? null)),
    async start() {
      const first = launch()
      if (await whenReady(first)) {
        void keep(first)
        return
      }
      if (stopping.signal.aborted) return
      const how = await first.ended
      throw new LaunchError(first.words.stderr() || `${part.title} could not start (${how}).`)
    },
    async stop(ms) {
      stopping.abort()
      const current = life
      if (current === null || current.hasEnded) return
      if (hasSignals) current.child.kill('SIGTERM')
      else if (current.child.connected) current.child.disconnect()
      await Promise.race([current.ended, sleep(clock, ms)])
      if (!current.hasEnded) {
        end(current.child)
        await Promise.race([current.ended, sleep(clock, 500)])
      }
    },
    kill() {
      stopping.abort()
      if (life !== null && !life.hasEnded) end(life.child)
    }
  }
}

/** What node's watcher (`npm run dev`) says of a program that ended by an error. */
const isWaitingForChange = (line: string): boolean => line.startsWith('Failed running ')

/** How it ended, in words: `exit code 1`, `killed by SIGKILL`. An error of one that runs, as a signal that was refused, is no end. */
function whenEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(error.message)
    })
    child.on('close', (code, signal) => resolve(signal === null ? `exit code ${code}` : `killed by ${signal}`))
  })
}

/** Kills the whole group, for a watcher has children of its own. */
function end(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(hasSignals ? -child.pid : child.pid, 'SIGKILL')
  } catch {
    // It was faster.
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
