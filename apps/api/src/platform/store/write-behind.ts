import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createBatchCollector, type StoreBatch } from './batch-collector.ts'
import { withoutDeadlineOfRequest } from './deadline.ts'
import { createGatherTimer } from './gather-timer.ts'
import { createRetryingStore } from './retrying-store.ts'

export interface WriteBehindOptions<Log, Command, State> {
  /** Stores one batch; may be called again with the same batch after a failure, so it must be repeatable. */
  store(batch: StoreBatch<Log, Command, State>): Promise<void>
  log: Logger
  onQueue?(length: number): void
  /** Beyond this many waiting entries nothing more is taken: boards keep their reports and send them again. */
  maxWaiting?: number
  retryMs?: number
  /**
   * How long a batch collects before it is written: a command and its end, a moment apart, then go in one. A busy store
   * collects for longer (`createGatherTimer`).
   */
  gatherMs?: number
  /** How long what nobody waits for collects: each commit to a disk writes whole pages, many rows share them. */
  calmMs?: number
  /** Whether it may collect for so long now; else it is written as what somebody waits for. */
  isCalm?(): boolean
}

/** So many entries share as many pages as more would: they wait no longer than a busy store makes them. */
const mostCalm = 100

/**
 * Stores changes in small batches, one batch at a time: while one is written the next collects.
 * `stored()` resolves when everything that was added before it is in the database, except states that may wait.
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
  /** Somebody waits for what has been added. */
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

  async function storedWithin(ms: number): Promise<void> {
    isSoon = true
    const late = new AbortController()
    await Promise.race([stored(), pause(ms, undefined, { signal: late.signal }).catch(() => undefined)])
    late.abort()
  }

  async function caughtUp(withinMs: number): Promise<void> {
    if (isHealthy() && (isRunning || batches.size() > 0)) await storedWithin(withinMs)
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
    /** The newest state of `key` wins. */
    setState(key: string, merge: (earlier: State | undefined) => State): void {
      batches.setState(key, merge)
      isSoon = true
      schedule()
    },
    /** As `setState`, in no hurry. */
    setStateCalm(key: string, merge: (earlier: State | undefined) => State): void {
      batches.setState(key, merge)
      schedule()
    },
    /** As `setState`, of what is not lost without it: written with many others, minutes later. */
    setStateLater: batches.setStateLater,
    /** What has been said of `key` and is not known to be stored. */
    unstoredState: batches.unstoredState,
    /** For a person or a program that waits. */
    stored(): Promise<void> {
      isSoon = true
      return stored()
    },
    /**
     * For whoever reads what is stored here: what was added before is, at once where nothing waits. Not waited for longer than
     * `withinMs`, nor while the database takes nothing.
     */
    caughtUp,
    /** As `caughtUp`, with the states that may wait. */
    async caughtUpWhole(withinMs: number): Promise<void> {
      if (!isHealthy() || !batches.hasLater()) return caughtUp(withinMs)
      batches.takeLaterAlong(true)
      await storedWithin(withinMs)
    },
    /** In no hurry: what comes meanwhile may be written with it. */
    gathered: stored,
    /** Writes the states that may wait, too. */
    settle,
    /** False while the database does not take changes and too many wait: what comes now must not be acknowledged. */
    hasRoom: (): boolean => batches.size() < maxWaiting,
    isHealthy,
    /** Resolves when nothing waits any more. */
    drain(): Promise<void> {
      batches.takeLaterAlong(batches.hasLater())
      if (!isRunning && !isWaiting()) return Promise.resolve()
      return new Promise((resolve) => {
        idle.push(resolve)
        // Who waits for the end does not wait for more to gather.
        timer.cancel()
        schedule()
      })
    }
  }
}
