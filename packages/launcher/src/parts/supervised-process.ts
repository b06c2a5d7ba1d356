import { backoffMs } from '@batti/kit/backoff'
import { messageOf } from '@batti/kit/message-of'
import { sleep, type Timers } from '@batti/kit/clock'
import { hourMs, minuteMs } from '@batti/kit/durations'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from '../launch-error.ts'
import { causeOf, end, endWithin, startLife, type Life } from './life.ts'
import type { Part } from './parts.ts'
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

/** How long a process with outdated code may take to stop. */
const renewWithinMs = 4000
const restartDelays = { firstMs: 500, longestMs: 30_000, jitter: 0.2 }
/** A part that ran this long has recovered: its next crash counts as the first one again. */
const steadyAfterMs = minuteMs
/** The interval between two messages about a log that cannot be written. */
const lossAgainMs = hourMs

/** Keeps one part running: starts it, waits until it is ready, reports why it crashed, and restarts it with back-off. */
export function createSupervisedProcess(part: Part, parts: SupervisedProcessDeps): SupervisedProcess {
  const { clock, random, say, changed } = parts
  const { isWatched = false } = part
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
    life = startLife(part, { ...parts, onLoss: sayLoss, isStopping: () => stopping.signal.aborted })
    void life.ended.then(changed)
    changed()
    return life
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
