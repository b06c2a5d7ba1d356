import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { createGatherTimer } from './gather-timer.ts'

/** Something to store; `key` lets a later value for the same thing take the place of one still waiting. */
export interface StoreBatch<Log, Command, State> {
  logs: Log[]
  commands: Command[]
  states: Map<string, State>
  /** No state that was said before this batch waits any longer. */
  isWhole: boolean
}

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
/** States that may wait are written after so many rows of the log, or after `laterMs`, whichever is first. */
const rowsBeforeStates = 5000
const laterMs = 480_000

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
  let waiting = emptyBatch<Log, Command, State>()
  let underWay = emptyBatch<Log, Command, State>()
  let later = new Map<string, State>()
  let isLaterDue = false
  let rowsSinceStates = 0
  let laterTimer: NodeJS.Timeout | undefined
  let waiters: (() => void)[] = []
  let isRunning = false
  /** Somebody waits for what has been added. */
  let isSoon = false
  let lastTookMs = 0
  let failures = 0
  let idle: (() => void)[] = []
  const timer = createGatherTimer({ gatherMs, calmMs, run: () => void run() })

  const isWaiting = (): boolean => size() > 0 || waiters.length > 0 || isLaterDue
  const size = (): number => waiting.logs.length + waiting.commands.length + waiting.states.size

  function schedule(): void {
    if (isRunning) return
    const hurries = isSoon || calmMs <= gatherMs || size() >= mostCalm || !isCalm()
    timer.set({ hurries, atOnce: idle.length > 0, lastTookMs })
  }

  function setState(key: string, merge: (earlier: State | undefined) => State): void {
    waiting.states.set(key, merge(waiting.states.get(key) ?? later.get(key)))
    later.delete(key)
  }

  function scheduleSoon(): void {
    isSoon = true
    schedule()
  }

  async function run(): Promise<void> {
    isRunning = true
    isSoon = false
    if (isLaterDue) takeLater()
    const batch = waiting
    const resolved = waiters
    waiting = emptyBatch()
    underWay = batch
    waiters = []
    onQueue?.(0)
    const startedAt = performance.now()
    await storeUntilDone(batch)
    lastTookMs = performance.now() - startedAt
    underWay = emptyBatch()
    for (const resolve of resolved) resolve()
    isRunning = false
    if (isWaiting()) {
      schedule()
      return
    }
    for (const resolve of idle) resolve()
    idle = []
  }

  /** States that may wait join the next batch. */
  function takeLater(): void {
    clearTimeout(laterTimer)
    laterTimer = undefined
    isLaterDue = false
    rowsSinceStates = 0
    for (const [key, state] of later) waiting.states.set(key, state)
    later = new Map()
    waiting.isWhole = true
  }

  function stored(): Promise<void> {
    return new Promise((resolve) => {
      waiters.push(resolve)
      schedule()
    })
  }

  function settle(): Promise<void> {
    isLaterDue = true
    isSoon = true
    return stored()
  }

  async function storeUntilDone(batch: StoreBatch<Log, Command, State>): Promise<void> {
    for (;;) {
      try {
        await store(batch)
        if (failures > 0) log.info({ failures }, 'the database takes changes again')
        failures = 0
        return
      } catch (error) {
        failures += 1
        if (failures === 1 || failures % 50 === 0)
          log.error({ err: error, failures }, 'changes could not be stored; trying again')
        await new Promise((resolve) => setTimeout(resolve, Math.min(retryMs * failures, 2000)))
      }
    }
  }

  return {
    addLog(row: Log): void {
      waiting.logs.push(row)
      rowsSinceStates += 1
      if (rowsSinceStates >= rowsBeforeStates) isLaterDue = true
      onQueue?.(size())
      schedule()
    },
    addCommand(row: Command): void {
      waiting.commands.push(row)
      schedule()
    },
    /** The newest state of `key` wins. */
    setState(key: string, merge: (earlier: State | undefined) => State): void {
      setState(key, merge)
      scheduleSoon()
    },
    /** As `setState`, in no hurry. */
    setStateCalm(key: string, merge: (earlier: State | undefined) => State): void {
      setState(key, merge)
      schedule()
    },
    /** As `setState`, of what is not lost without it: written with many others, minutes later. */
    setStateLater(key: string, merge: (earlier: State | undefined) => State): void {
      const next = waiting.states.get(key)
      if (next !== undefined) waiting.states.set(key, merge(next))
      else later.set(key, merge(later.get(key)))
      laterTimer ??= setTimeout(() => void settle(), laterMs).unref()
    },
    /** What has been said of `key` and is not known to be stored. */
    unstoredState(key: string): State | undefined {
      const [oldest, ...newer] = [underWay.states.get(key), later.get(key), waiting.states.get(key)]
      return newer.reduce((state, next) => (next === undefined ? state : { ...state, ...next }), oldest)
    },
    /** For a person or a program that waits. */
    stored(): Promise<void> {
      isSoon = true
      return stored()
    },
    /**
     * For whoever reads what is stored here: what was added before is, at once where nothing waits. Not waited for longer than
     * `withinMs`, nor while the database takes nothing.
     */
    async caughtUp(withinMs: number): Promise<void> {
      if (failures > 0 || (!isRunning && size() === 0)) return
      isSoon = true
      const late = new AbortController()
      await Promise.race([stored(), pause(withinMs, undefined, { signal: late.signal }).catch(() => undefined)])
      late.abort()
    },
    /** In no hurry: what comes meanwhile may be written with it. */
    gathered: stored,
    /** Writes the states that may wait, too. */
    settle,
    /** False while the database does not take changes and too many wait: what comes now must not be acknowledged. */
    hasRoom: (): boolean => size() < maxWaiting,
    isHealthy: (): boolean => failures === 0,
    /** Resolves when nothing waits any more. */
    drain(): Promise<void> {
      isLaterDue = later.size > 0
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

function emptyBatch<Log, Command, State>(): StoreBatch<Log, Command, State> {
  return { logs: [], commands: [], states: new Map(), isWhole: false }
}
