import type { Logger } from 'pino'

/** Pause between two lookups. The next starts only after the last has ended. */
const lookEveryMs = 1000

/** While other instances cannot announce revocations, looks them up once a second; retries failed lookups. */
export function createRevocationWatch(parts: { areOthersHeard(): boolean; look(): Promise<void>; log: Logger }) {
  const { areOthersHeard, look, log } = parts
  let isOwed = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  function owe(error: unknown): void {
    if (!isOwed) log.warn({ err: error }, 'revocations by other instances could not be looked up; trying again')
    isOwed = true
  }

  async function turn(): Promise<void> {
    if (isOwed || !areOthersHeard()) {
      await look().then(() => (isOwed = false), owe)
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
