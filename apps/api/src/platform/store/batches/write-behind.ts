import type { Logger } from 'pino'
import { isDoneWithin } from '../../is-done-within.ts'
import { createBatchCollector, type StoreBatch } from './batch-collector.ts'
import { withoutDeadlineOfRequest } from '../deadline.ts'
import { createGatherTimer } from './gather-timer.ts'
import { createRetryingStore } from './retrying-store.ts'

export interface WriteBehindOptions<Log, Command, State> {
  /** Stores one batch. Called again with the same batch after a failure, so it must be idempotent. */
  store(batch: StoreBatch<Log, Command, State>): Promise<void>
  log: Logger
  onQueue?(length: number): void
  /** Back-pressure: beyond this many waiting entries nothing more is accepted, and boards keep and repeat their reports. */
  maxWaiting?: number
  retryMs?: number
  /**
   * How long a batch gathers before it is written, so that a command and its end go together. Longer under load
   * (`createGatherTimer`).
   */
  gatherMs?: number
  /** How long a batch gathers if nobody waits for it: a commit writes whole disk pages, which many rows can share. */
  calmMs?: number
  /** Whether a batch may gather for that long now; otherwise it is written as if somebody waited. */
  isCalm?(): boolean
}

/** From this many entries on, more would save no pages, so the batch is no longer delayed. */
const mostCalm = 100

/**
 * Stores changes in small batches, one at a time: the next batch gathers while one is written.
 * `stored()` resolves when everything added before it is in the database, except deferred states.
 */
export function createWriteBehind<Log, Command, State>(options: WriteBehindOptions<Log, Command, State>) {
  const {
    store,
    log,
    onQueue,
    maxWaiting = 50_000,
    retryMs = 250,
    gatherMs = 0,
    calmMs = gatherMs,
    isCalm = () => true
  } = options
  const batches = createBatchCollector<Log, Command, State>({ onLate: () => void settle() })
  const { storeUntilDone, isHealthy } = createRetryingStore({ store, log, retryMs })
  let waiters: (() => void)[] = []
  let isRunning = false
  /** Whether a caller waits for what has been added. */
  let isSoon = false
  let lastTookMs = 0
  let idle: (() => void)[] = []
  const timer = createGatherTimer({ gatherMs, calmMs, run: () => void withoutDeadlineOfRequest(run) })

  const isWaiting = (): boolean => batches.isDue() || waiters.length > 0

  function schedule(): void {
    if (isRunning) return
    const hurries = isSoon || calmMs <= gatherMs || batches.size() >= mostCalm || !isCalm()
    timer.set({ hurries, atOnce: idle.length > 0, lastTookMs })
  }

  async function run(): Promise<void> {
    isRunning = true
    isSoon = false
    const batch = batches.take()
    const resolved = waiters
    waiters = []
    onQueue?.(0)
    const startedAt = performance.now()
    await storeUntilDone(batch)
    lastTookMs = performance.now() - startedAt
    batches.noteStored()
    for (const resolve of resolved) resolve()
    isRunning = false
    if (isWaiting()) {
      schedule()
      return
    }
    for (const resolve of idle) resolve()
    idle = []
  }

  function stored(): Promise<void> {
    return new Promise((resolve) => {
      waiters.push(resolve)
      schedule()
    })
  }

  function storedWithin(ms: number): Promise<boolean> {
    isSoon = true
    return isDoneWithin(ms, stored())
  }

  async function caughtUp(withinMs: number): Promise<boolean> {
    if (!isHealthy()) return false
    return isRunning || batches.size() > 0 ? storedWithin(withinMs) : true
  }

  function settle(): Promise<void> {
    batches.takeLaterAlong(true)
    isSoon = true
    return stored()
  }

  return {
    addLog(row: Log): void {
      batches.addLog(row)
      onQueue?.(batches.size())
      schedule()
    },
    addCommand(row: Command): void {
      batches.addCommand(row)
      schedule()
    },
    /** Adds a state. The newest state of `key` wins. */
    setState(key: string, merge: (earlier: State | undefined) => State): void {
      batches.setState(key, merge)
      isSoon = true
      schedule()
    },
    /** Like `setState`, but not urgent. */
    setStateCalm(key: string, merge: (earlier: State | undefined) => State): void {
      batches.setState(key, merge)
      schedule()
    },
    /** Like `setState`, for states that can be recovered otherwise: written minutes later, together with many others. */
    setStateLater: batches.setStateLater,
    /** Returns the state of `key` that is not known to be stored. */
    unstoredState: batches.unstoredState,
    /** Urgent: for a person or a program that waits. */
    stored(): Promise<void> {
      isSoon = true
      return stored()
    },
    /**
     * For readers of the stored data: resolves with true when everything added before is stored, at once if nothing waits.
     * Resolves with false after `withinMs`, and at once while the database is failing.
     */
    caughtUp,
    /** Not urgent: later entries may be written together with it. */
    gathered: stored,
    /** Also writes deferred states. */
    settle,
    /** False when the database is failing and too many entries wait: new reports must not be acknowledged. */
    hasRoom: (): boolean => batches.size() < maxWaiting,
    isHealthy,
    /** Resolves when nothing is waiting any more. */
    drain(): Promise<void> {
      batches.takeLaterAlong(batches.hasLater())
      if (!isRunning && !isWaiting()) return Promise.resolve()
      return new Promise((resolve) => {
        idle.push(resolve)
        // The caller waits for the end, so gathering stops.
        timer.cancel()
        schedule()
      })
    }
  }
}
