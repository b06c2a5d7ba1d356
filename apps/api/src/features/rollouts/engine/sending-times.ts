import { defaultTimezone, minuteOf, runMinutes, type AllowedHours, type UpdateTime } from '@batti/contracts'
import { dayMs, minuteMs } from '@batti/kit/durations'

const night: AllowedHours = { from: '01:00', to: '05:00' }
const idleForMs = 7 * dayMs
/** The longest wait for hours to begin: a clock change may bring them closer. */
const longestWaitMinutes = 15

/** Whether a board may be sent something now; `why` says what it waits for, `lookAgainAt` when to check again. */
export type SendingVerdict = { kind: 'now' } | { kind: 'later'; why: 'hours' | 'when'; lookAgainAt: number }

/** `zone` is the board's. After seven days without an idle moment, an `idle` rollout is sent at night in any case. */
export function judgeSendingTime(
  rules: { allowedHours: AllowedHours | null; updateWhen: UpdateTime; waitsSince: number },
  board: { zone: string; hasOutletOn: boolean },
  now: number
): SendingVerdict {
  const clock = clockIn(board.zone, now)
  if (rules.allowedHours !== null && !isWithin(rules.allowedHours, clock))
    return later('hours', now, minutesUntil(rules.allowedHours.from, clock))
  if (rules.updateWhen === 'any') return { kind: 'now' }
  if (rules.updateWhen === 'night') {
    return isWithin(night, clock) ? { kind: 'now' } : later('when', now, minutesUntil(night.from, clock))
  }
  if (!board.hasOutletOn) return { kind: 'now' }
  return now - rules.waitsSince > idleForMs && isWithin(night, clock) ? { kind: 'now' } : later('when', now, 1)
}

/** Checks again at a full minute, where allowed hours begin and end. */
const later = (why: 'hours' | 'when', now: number, minutes: number): SendingVerdict => ({
  kind: 'later',
  why,
  lookAgainAt: (Math.floor(now / minuteMs) + Math.min(minutes, longestWaitMinutes)) * minuteMs
})

const minutesUntil = (begin: string, clock: string): number => runMinutes(minuteOf(clock), minuteOf(begin))

/** `from` is inclusive, `to` exclusive; past midnight if `to` is earlier. All are `HH:MM`, which sort as text. */
export const isWithin = ({ from, to }: AllowedHours, clock: string): boolean =>
  from < to ? clock >= from && clock < to : clock >= from || clock < to

function clockIn(zone: string, now: number): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone === '' ? defaultTimezone : zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23'
  })
  return parts.format(now)
}
