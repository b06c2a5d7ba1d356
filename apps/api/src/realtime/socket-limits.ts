import { createTokenBucket, type Rate } from '@batti/kit/token-bucket'
import { accountRate } from '../platform/account-rate.ts'
import { createLimitByKey } from '../platform/limit-by-key.ts'
import type { SocketLimits } from '../platform/sockets.ts'

const floodMs = 5000
/** A pause this long between refusals ends a flood. */
const calmMs = 1000
/** Unknown events are ignored up to this burst, which refills at the rate of commands. */
const straysAtOnce = 1000
/** A token lasts minutes, and each renewal reads the account and checks every room in the database. */
const renewals = { perSecond: 0.1, burst: 10 }

interface RatesOfSockets {
  /** With bursts of twice as many. */
  commandsPerSecond: number
  joinsPerMinute: number
}

const commandRate = ({ commandsPerSecond }: RatesOfSockets): Rate => ({
  perSecond: commandsPerSecond,
  burst: commandsPerSecond * 2
})

/**
 * Creates the limits of each new socket, and one on the commands of all sockets of an account together. 0 turns a limit off,
 * and joins at 0 turn off the limit on renewals as well. `now` is monotonic, in milliseconds.
 */
export function createSocketLimits(limits: RatesOfSockets, now: () => number): (userId: string) => SocketLimits {
  const mayAccountCommand = createLimitByKey(accountRate(commandRate(limits)), now)
  return (userId) => limitsOfOne(limits, now, () => mayAccountCommand(userId))
}

function limitsOfOne(limits: RatesOfSockets, now: () => number, mayAccountCommand: () => boolean): SocketLimits {
  const { commandsPerSecond, joinsPerMinute } = limits
  const commands = createTokenBucket(commandRate(limits), now)
  const joins = createTokenBucket({ perSecond: joinsPerMinute / 60, burst: joinsPerMinute }, now)
  const renewed = createTokenBucket(joinsPerMinute === 0 ? { perSecond: 0, burst: 0 } : renewals, now)
  const strays = createTokenBucket({ perSecond: commandsPerSecond, burst: straysAtOnce }, now)
  let flood: { since: number; refusedAt: number } | null = null
  let isRefused = false

  function note(isAllowed: boolean): boolean {
    isRefused = !isAllowed
    if (isRefused) {
      const at = now()
      flood = { since: flood === null || at - flood.refusedAt > calmMs ? at : flood.since, refusedAt: at }
    }
    return isAllowed
  }

  return {
    mayCommand: () => note(commands.take() && mayAccountCommand()),
    mayJoin: () => note(joins.take()),
    mayRenew: () => note(renewed.take()),
    mayStray: strays.take,
    isFlooding: () => isRefused && flood !== null && flood.refusedAt - flood.since >= floodMs
  }
}
