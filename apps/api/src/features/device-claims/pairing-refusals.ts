import type { DeviceAuthRequest } from '@batti/contracts'
import { addressGroup } from '@batti/kit/address'
import type { Logger } from 'pino'
import { AppError } from '../../platform/app-error.ts'
import { createLastTimes, createLimitByKey } from '../../platform/recent.ts'
import type { Clock } from '@batti/kit/clock'

const mailPauseMs = 3_600_000
/** A banner is shorter than a mail, and as easily a flood. */
const bannerPauseMs = 600_000

/** How boards are refused: all alike, and slower when one address asks again and again. */
export function createPairingRefusals(deps: {
  clock: Pick<Clock, 'monotonic'>
  log: Logger
  /** Refusals a minute of one address before it is told to wait; 0 turns it off. */
  refusalsPerMinute: number
}) {
  const { clock, log, refusalsPerMinute } = deps
  const refusalRate = { perSecond: refusalsPerMinute / 60, burst: refusalsPerMinute }
  const mayBeRefused = createLimitByKey(refusalRate, clock.monotonic)

  /** Once in that time for each board: a stranger must not be able to flood its owner. */
  function oncePer(pauseMs: number): (deviceId: string) => boolean {
    const { isTimeFor } = createLastTimes(clock.monotonic)
    return (deviceId) => isTimeFor(deviceId, pauseMs)
  }

  function countRefusal(address: string): void {
    // Beyond the limit the answer would only help to guess faster.
    if (!mayBeRefused(addressGroup(address)))
      throw new AppError('TOO_MANY_REQUESTS', 'Please try again after 60 seconds.', { retryAfterS: 60 })
  }

  function refuse(ip: string, request: DeviceAuthRequest, why: string): never {
    countRefusal(ip)
    log.warn({ ip, deviceMac: request.deviceMac, why }, 'a board was refused')
    throw new AppError('DEVICE_REFUSED', 'This board was refused. Start the pairing again from the app.')
  }

  return { refuse, isTimeToMail: oncePer(mailPauseMs), isTimeToNotify: oncePer(bannerPauseMs) }
}
