import { zonedMs } from '#web/lib/time/zoned-time.ts'
import type { OnTimes } from './api/list-on-times.ts'

/** Tolerance for a report on its way, and for the whole seconds of the server's time. */
const slackMs = 90_000

/**
 * Returns since when each switch that is on has been on, in ms, by switch id. A span that reaches the answer's time is
 * still open. One that was open at the first midnight has an unknown start and is left out.
 */
export function onSince({ switches, timezone, answeredAt }: OnTimes): Map<string, number> {
  const since = new Map<string, number>()
  for (const { switchId, spans, days } of switches) {
    const last = spans.at(-1)
    const firstDay = days[0]
    if (last === undefined || firstDay === undefined || last.to < answeredAt - slackMs) continue
    if (last.from > zonedMs(firstDay.date, '00:00', timezone)) since.set(switchId, last.from)
  }
  return since
}
