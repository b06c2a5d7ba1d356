import type { Logger } from 'pino'

/** While other instances cannot announce revocations, looks them up again and again; retries failed lookups. */
export function createRevocationWatch(parts: {
  areOthersHeard(): boolean
  /** Pause between two lookups. The next starts only after the last has ended. */
  lookEveryMs: number
  look(): Promise<void>
  log: Logger
}) {
  const { areOthersHeard, lookEveryMs, look, log } = parts
  /** How many lookups have failed since one that began after them succeeded. */
  let owed = 0
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  function owe(error: unknown): void {
    if (owed === 0) log.warn({ err: error }, 'revocations by other instances could not be looked up; trying again')
    owed += 1
  }

  async function turn(): Promise<void> {
    if (owed > 0 || !areOthersHeard()) {
      const before = owed
      await look().then(() => (owed -= before), owe)
    }
    if (!isStopped) start()
  }

  function start(): void {
    timer = setTimeout(() => void turn(), lookEveryMs).unref()
  }

  return {
    start,
    /** Call this when a lookup elsewhere has failed: it is retried here. */
    owe,
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    }
  }
}
