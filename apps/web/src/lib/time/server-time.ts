import type { Transport } from '@batti/client/transport'
import type { Clock } from '@batti/kit/clock'

/** The maximum delay of an answer. If its time is earlier by more than that, the server's clock was set back. */
const lingersMs = 30_000

/** The server's clock, taken from its answers: a phone's own may be wrong by hours, or be changed meanwhile. */
export interface ServerTime {
  /** Milliseconds since the epoch; by this machine's clock until the server has answered once. */
  now(): number
  /** Takes the `Date` header of an answer. */
  heard(date: string | null | undefined): void
}

export function createServerTime(clock: Clock): ServerTime {
  let aheadMs: number | null = null
  return {
    now: () => (aheadMs === null ? clock.now() : clock.monotonic() + aheadMs),
    heard(date) {
      const told = Date.parse(date ?? '') - clock.monotonic()
      if (Number.isNaN(told)) return
      // The header has whole seconds and arrives with a delay: of several answers the latest time is the most exact.
      if (aheadMs === null || told > aheadMs || told < aheadMs - lingersMs) aheadMs = told
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
