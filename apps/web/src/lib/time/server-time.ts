import type { Transport } from '@batti/client/transport'
import type { Clock } from '@batti/kit/clock'

/** The maximum delay of an answer. If its time is earlier by more than that, the server's clock was set back. */
const lingersMs = 30_000
/** The smallest correction for which the times on the page are rendered at once. */
const jumpMs = 5000

/** The server's clock, taken from its answers: a phone's own may be wrong by hours, or be changed meanwhile. */
export interface ServerTime {
  /** Milliseconds since the epoch; by this machine's clock until the server has answered once. */
  now(): number
  /** Takes the `Date` header of an answer. */
  heard(date: string | null | undefined): void
  /** Called after the machine slept: the timers that would update the page's times are late. */
  woke(): void
  /** Calls `listener` when the time went on without the page's timers. Returns the undo function. */
  onJump(listener: () => void): () => void
}

export function createServerTime(clock: Clock): ServerTime {
  let aheadMs: number | null = null
  const listeners = new Set<() => void>()
  const now = () => (aheadMs === null ? clock.now() : clock.monotonic() + aheadMs)
  const woke = () => {
    for (const listener of listeners) listener()
  }
  return {
    now,
    heard(date) {
      const told = Date.parse(date ?? '') - clock.monotonic()
      if (Number.isNaN(told)) return
      // The header has whole seconds and arrives with a delay: of several answers the latest time is the most exact.
      if (aheadMs !== null && told <= aheadMs && told >= aheadMs - lingersMs) return
      const before = now()
      aheadMs = told
      // In many browsers the monotonic clock stands still while the machine sleeps.
      if (Math.abs(now() - before) >= jumpMs) woke()
    },
    woke,
    onJump(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
  }
}

/** Wraps a transport so that its answers set the server time. */
export function withServerTime(transport: Transport, serverTime: ServerTime): Transport {
  return async (request) => {
    const answer = await transport(request)
    serverTime.heard(answer.date)
    return answer
  }
}
