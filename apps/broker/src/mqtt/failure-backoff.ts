import { backoffMs } from '@batti/kit/backoff'
import { addressGroup } from '@batti/kit/address'
import { minuteMs } from '@batti/kit/durations'
import { createRecent } from '@batti/kit/recent'

export interface FailureBackoff {
  /** Milliseconds to hold a CONNECT back before it is looked at. */
  delayMs: (address: string, clientId: string) => number
  failed: (address: string, clientId: string) => void
  succeeded: (address: string, clientId: string) => void
}

/** Honest boards fail a few times too: an old password right after a new one was set. */
const freeFailures = 3
/** More failures from one address mean that somebody guesses client ids. Boards known to be good there are not delayed. */
const freeFailuresOfAddress = 20
/** The longest delay leaves time for the hook within the 5 s that a connection has to authenticate. */
const delays = { firstMs: 250, longestMs: 2000, jitter: 0 }
const forgetAfterMs = minuteMs
const rememberedFailures = 10_000
const rememberedGood = 20_000

/**
 * Delays clients that failed before: per address and client id, and per address after many failures. A delayed CONNECT is
 * still checked, so that an attacker who guesses under a board's client id never locks the board out. Guessing 256 random
 * bits is hopeless at any rate; this bounds the work and the log. `now` in milliseconds.
 */
export function createFailureBackoff({ now }: { now: () => number }): FailureBackoff {
  const failures = createRecent<{ count: number; at: number }>(rememberedFailures)
  const good = createRecent<true>(rememberedGood)
  const pair = (address: string, clientId: string) => `${address} ${clientId}`

  function count(key: string): number {
    const known = failures.get(key)
    return known !== undefined && now() - known.at < forgetAfterMs ? known.count : 0
  }

  function add(key: string): void {
    failures.keep(key, { count: count(key) + 1, at: now() })
  }

  return {
    delayMs(from, clientId) {
      const address = addressGroup(from)
      const key = pair(address, clientId)
      const ofPair = count(key) - freeFailures
      const excess = good.get(key) === true ? ofPair : Math.max(ofPair, count(address) - freeFailuresOfAddress)
      return excess < 0 ? 0 : backoffMs(excess + 1, delays)
    },
    failed(from, clientId) {
      const address = addressGroup(from)
      add(address)
      add(pair(address, clientId))
    },
    succeeded(from, clientId) {
      const key = pair(addressGroup(from), clientId)
      failures.forget(key)
      good.keep(key, true)
    }
  }
}
