import type { Logger } from 'pino'

/** Whether an instance is connected to the others through Redis, and who is told when that changes. */
export function createLinkState(log: Pick<Logger, 'info' | 'error'>) {
  const turns: ((isUp: boolean) => void)[] = []
  const missed: (() => void)[] = []
  let isUp = false
  let lastError: unknown

  /** Tells that messages of others may have been lost. */
  function notifyMissed(): void {
    for (const listener of missed) listener()
  }

  function logDown(): void {
    log.error(
      { err: lastError },
      'Redis at REDIS_URL is unavailable: instances cannot message each other, and each receives the messages of every board'
    )
  }

  return {
    isUp: () => isUp,
    /** `isWanted`: the link ends because this instance stops, which nobody has to read. */
    turn(to: boolean, { isWanted } = { isWanted: false }): void {
      if (isUp === to) return
      isUp = to
      if (to) log.info('connected to other api instances through Redis')
      else if (!isWanted) logDown()
      for (const listener of turns) listener(to)
      if (to) notifyMissed()
    },
    /** The reason that is logged when the link is down. */
    noteError: (error: unknown): void => void (lastError = error),
    logDown,
    notifyMissed,
    onTurn: (listener: (isUp: boolean) => void): void => void turns.push(listener),
    onMissed: (listener: () => void): void => void missed.push(listener)
  }
}
