import type { DeviceAuthRequest } from '@batti/contracts'
import { hourMs, minuteMs } from '@batti/kit/durations'
import { addressGroup } from '@batti/kit/address'
import type { Logger } from 'pino'
import { AppError } from '../../platform/app-error.ts'
import type { EventBus } from '../../platform/events.ts'
import { createLastTimes, createLimitByKey } from '../../platform/limit-by-key.ts'
import type { Clock } from '@batti/kit/clock'

const mailPauseMs = hourMs
/** A banner is less intrusive than a mail, but can be abused for flooding just as easily. */
const bannerPauseMs = 10 * minuteMs

/** Refuses boards: always with the same answer, and rate-limited per address. Owners are told who asked for theirs. */
export function createPairingRefusals(deps: {
  clock: Pick<Clock, 'monotonic'>
  events: Pick<EventBus, 'emit'>
  log: Logger
  /** Refusals a minute per address before it is rate-limited; 0 turns this off. */
  refusalsPerMinute: number
}) {
  const { clock, events, log, refusalsPerMinute } = deps
  const refusalRate = { perSecond: refusalsPerMinute / 60, burst: refusalsPerMinute }
  const mayBeRefused = createLimitByKey(refusalRate, clock.monotonic)

  /** At most once in that time per board, so that a stranger cannot flood its owner. */
  function oncePer(pauseMs: number): (deviceId: string) => boolean {
    const { isTimeFor } = createLastTimes(clock.monotonic)
    return (deviceId) => isTimeFor(deviceId, pauseMs)
  }

  function countRefusal(address: string): void {
    // Beyond the limit, a regular answer would only help to guess faster.
    if (!mayBeRefused(addressGroup(address)))
      throw new AppError('TOO_MANY_REQUESTS', 'Please try again after 60 seconds.', { retryAfterS: 60 })
  }

  function refuse(ip: string, request: DeviceAuthRequest, why: string): never {
    countRefusal(ip)
    log.warn({ ip, deviceMac: request.deviceMac, why }, 'a board was refused')
    throw new AppError('DEVICE_REFUSED', 'This board was refused. Start the pairing again from the app.')
  }

  const isTimeToMail = oncePer(mailPauseMs)
  const isTimeToNotify = oncePer(bannerPauseMs)

  function warnOwner(userId: string, { id, name: boardName }: { id: string; name: string }): void {
    const text = `Somebody tried to set up your board ${boardName} again. It stays yours.`
    if (isTimeToNotify(id)) events.emit('user-notified', { userId, text })
    if (isTimeToMail(id)) events.emit('board-coveted', { userId, boardName })
  }

  return { refuse, warnOwner }
}
export type PairingRefusals = ReturnType<typeof createPairingRefusals>
