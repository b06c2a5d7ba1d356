import type { DeviceAuthRequest } from '@batti/contracts'
import { addressGroup } from '@batti/kit/address'
import { createTokenBucket, type TokenBucket } from '@batti/kit/token-bucket'
import type { Logger } from 'pino'
import { AppError } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'

const mailPauseMs = 3_600_000
/** A banner is shorter than a mail, and as easily a flood. */
const bannerPauseMs = 600_000
const addressesMax = 10_000

/** How boards are refused: all alike, and slower when one address asks again and again. */
export function createPairingRefusals(deps: {
  clock: Pick<Clock, 'monotonic'>
  log: Logger
  /** Refusals a minute of one address before it is told to wait; 0 turns it off. */
  refusalsPerMinute: number
}) {
  const { clock, log, refusalsPerMinute } = deps
  const refusalRate = { perSecond: refusalsPerMinute / 60, burst: refusalsPerMinute }
  const refusalLimits = new Map<string, TokenBucket>()

  /** Once in that time for each board: a stranger must not be able to flood its owner. */
  function oncePer(pauseMs: number): (deviceId: string) => boolean {
    const doneAt = new Map<string, number>()
    return (deviceId) => {
      const now = clock.monotonic()
      if (now - (doneAt.get(deviceId) ?? -Infinity) < pauseMs) return false
      doneAt.set(deviceId, now)
      return true
    }
  }

  function countRefusal(address: string): void {
    const ip = addressGroup(address)
    let limit = refusalLimits.get(ip)
    if (limit === undefined) {
      if (refusalLimits.size > addressesMax) refusalLimits.clear()
      refusalLimits.set(ip, (limit = createTokenBucket(refusalRate, clock.monotonic)))
    }
    // Beyond the limit the answer would only help to guess faster.
    if (!limit.take())
      throw new AppError('TOO_MANY_REQUESTS', 'Please try again after 60 seconds.', { retryAfterS: 60 })
  }

  function refuse(ip: string, request: DeviceAuthRequest, why: string): never {
    countRefusal(ip)
    log.warn({ ip, deviceMac: request.deviceMac, why }, 'a board was refused')
    throw new AppError('DEVICE_REFUSED', 'This board was refused. Start the pairing again from the app.')
  }

  return { refuse, isTimeToMail: oncePer(mailPauseMs), isTimeToTell: oncePer(bannerPauseMs) }
}
