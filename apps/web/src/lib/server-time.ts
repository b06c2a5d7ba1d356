import type { Transport } from '@batti/client/transport'
import type { Clock } from '@batti/kit/clock'

/** An answer may linger that long; one that tells an earlier time than that is of a server that was set back. */
const lingersMs = 30_000

/** The server's clock, as its answers tell it: a phone's own may be wrong by hours, or be set meanwhile. */
export interface ServerTime {
  /** Milliseconds since the epoch; by this machine's clock until the server has answered once. */
  now(): number
  /** An answer's `Date`. */
  heard(date: string | null | undefined): void
}

export function createServerTime(clock: Clock): ServerTime {
  let aheadMs: number | null = null
  return {
    now: () => (aheadMs === null ? clock.now() : clock.monotonic() + aheadMs),
    heard(date) {
      const told = Date.parse(date ?? '') - clock.monotonic()
      if (Number.isNaN(told)) return
      // Whole seconds, told a little while ago: of several answers the one that tells the latest time is nearest.
      if (aheadMs === null || told > aheadMs || told < aheadMs - lingersMs) aheadMs = told
    }
  }
}

/** A transport whose answers tell the server's time. */
export function tellingTime(transport: Transport, serverTime: ServerTime): Transport {
  return async (request) => {
    const answer = await transport(request)
    serverTime.heard(answer.date)
    return answer
  }
}
