import { defaultTimezone, type AllowedHours, type UpdateTime } from '@batti/contracts'
import { dayMs, minuteMs } from '@batti/kit/durations'

const night: AllowedHours = { from: '01:00', to: '05:00' }
const idleForMs = 7 * dayMs

/** Whether a board may be sent something now; `why` says what it waits for, `lookAgainAt` when to check again. */
export type SendingVerdict = { kind: 'now' } | { kind: 'later'; why: 'hours' | 'when'; lookAgainAt: number }

/** `zone` is the board's. After seven days without an idle moment, an `idle` rollout is sent at night in any case. */
export function judgeSendingTime(
  rules: { allowedHours: AllowedHours | null; updateWhen: UpdateTime; waitsSince: number },
  board: { zone: string; hasOutletOn: boolean },
  now: number
): SendingVerdict {
  const clock = clockIn(board.zone, now)
  if (rules.allowedHours !== null && !isWithin(rules.allowedHours, clock)) return later('hours', now)
  if (rules.updateWhen === 'any') return { kind: 'now' }
  if (rules.updateWhen === 'night') return isWithin(night, clock) ? { kind: 'now' } : later('when', now)
  if (!board.hasOutletOn) return { kind: 'now' }
  return now - rules.waitsSince > idleForMs && isWithin(night, clock) ? { kind: 'now' } : later('when', now)
}

/** Checks again at the next full minute, where allowed hours begin and end. */
const later = (why: 'hours' | 'when', now: number): SendingVerdict => ({
  kind: 'later',
  why,
  lookAgainAt: (Math.floor(now / minuteMs) + 1) * minuteMs
})

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
