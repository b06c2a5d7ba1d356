import { minuteMs } from '@batti/kit/durations'
import { createRecent } from '@batti/kit/recent'

export interface Takeovers {
  /** Counts a takeover. Returns true when it began a quarantine. */
  note: (clientId: string) => boolean
  isQuarantined: (clientId: string) => boolean
}

const countedForMs = minuteMs
const quarantineMs = 10 * minuteMs
const remembered = 10_000

/**
 * Two boards with the same credential take over each other's connection endlessly; each takeover costs a connect, a snapshot
 * and two log rows. More than `free` takeovers in a minute quarantine the client id. A few are normal for a board whose
 * connection hangs. `now` in milliseconds, monotonic.
 */
export function createTakeovers({ free, now }: { free: number; now: () => number }): Takeovers {
  const recent = createRecent<readonly number[]>(remembered)
  const quarantines = createRecent<number>(remembered)

  return {
    note(clientId) {
      const times = [...(recent.get(clientId) ?? []).filter((at) => now() - at < countedForMs), now()]
      if (times.length > free) {
        quarantines.keep(clientId, now() + quarantineMs)
        return true
      }
      recent.keep(clientId, times)
      return false
    },
    isQuarantined: (clientId) => now() < (quarantines.get(clientId) ?? -Infinity)
  }
}
