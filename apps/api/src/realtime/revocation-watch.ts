import type { Logger } from 'pino'

/** Between two looks; the next does not begin before the last has ended. */
const lookEveryMs = 1000

/** While other instances cannot tell what they took back, it is looked up: again and again, and until it could be. */
export function createRevocationWatch(parts: { areOthersHeard(): boolean; look(): Promise<void>; log: Logger }) {
  const { areOthersHeard, look, log } = parts
  let isOwed = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  function owe(error: unknown): void {
    if (!isOwed) log.warn({ err: error }, 'what other instances took back could not be looked up; trying again')
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
    /** A look elsewhere has failed: it is made up for. */
    owe,
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    }
  }
}
