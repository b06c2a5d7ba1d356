import type { Logger } from 'pino'

/** Something to store; `key` lets a later value for the same thing take the place of one still waiting. */
export interface StoreBatch<Log, Command, State> {
  logs: Log[]
  commands: Command[]
  states: Map<string, State>
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
   * collects for three times as long as its last batch took, but never longer than `maxGatherMs`.
   */
  gatherMs?: number
}

const maxGatherMs = 100

/**
 * Stores changes in small batches, one batch at a time: while one is written the next collects.
 * `stored()` resolves when everything that was added before it is in the database, which is when a board may be told.
 */
export function createWriteBehind<Log, Command, State>(options: WriteBehindOptions<Log, Command, State>) {
  const { store, log, onQueue, maxWaiting = 50_000, retryMs = 250, gatherMs = 0 } = options
  let waiting = emptyBatch<Log, Command, State>()
  let waiters: (() => void)[] = []
  let isRunning = false
  let cancel: (() => void) | null = null
  let lastTookMs = 0
  let failures = 0
  let idle: (() => void)[] = []

  const isWaiting = (): boolean => size() > 0 || waiters.length > 0
  const size = (): number => waiting.logs.length + waiting.commands.length + waiting.states.size

  function schedule(): void {
    if (isRunning || cancel !== null) return
    if (gatherMs > 0 && idle.length === 0) {
      const timer = setTimeout(() => void run(), Math.min(Math.max(gatherMs, lastTookMs * 3), maxGatherMs))
      cancel = () => clearTimeout(timer)
    } else {
      // At the least after this turn of the event loop, so that everything one packet brought goes into one commit.
      const immediate = setImmediate(() => void run())
      cancel = () => clearImmediate(immediate)
    }
  }

  async function run(): Promise<void> {
    cancel = null
    isRunning = true
    const batch = waiting
    const told = waiters
    waiting = emptyBatch()
    waiters = []
    onQueue?.(0)
    const startedAt = performance.now()
    await storeUntilDone(batch)
    lastTookMs = performance.now() - startedAt
    for (const resolve of told) resolve()
    isRunning = false
    if (isWaiting()) {
      schedule()
      return
    }
    for (const resolve of idle) resolve()
    idle = []
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
      onQueue?.(size())
      schedule()
    },
    addCommand(row: Command): void {
      waiting.commands.push(row)
      schedule()
    },
    /** The newest state of `key` wins. */
    setState(key: string, merge: (earlier: State | undefined) => State): void {
      waiting.states.set(key, merge(waiting.states.get(key)))
      schedule()
    },
    stored(): Promise<void> {
      return new Promise((resolve) => {
        waiters.push(resolve)
        schedule()
      })
    },
    /** False while the database does not take changes and too many wait: what comes now must not be acknowledged. */
    hasRoom: (): boolean => size() < maxWaiting,
    isHealthy: (): boolean => failures === 0,
    /** Resolves when nothing waits any more. */
    drain(): Promise<void> {
      if (!isRunning && !isWaiting()) return Promise.resolve()
      return new Promise((resolve) => {
        idle.push(resolve)
        // Who waits for the end does not wait for more to gather.
        cancel?.()
        cancel = null
        schedule()
      })
    }
  }
}

function emptyBatch<Log, Command, State>(): StoreBatch<Log, Command, State> {
  return { logs: [], commands: [], states: new Map() }
}
