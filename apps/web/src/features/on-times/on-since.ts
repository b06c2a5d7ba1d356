import { zonedMs } from '#web/lib/zoned-time.ts'
import type { OnTimes } from './api/list-on-times.ts'

/** Clocks of server and browser, and a report on its way, may differ by this much. */
const slackMs = 90_000

/**
 * Since when each switch that is on has been on, ms, by switch id. A span that reaches the answer's own time is still
 * open; one that was open already at the first midnight began nobody knows when, and is left out.
 */
export function onSince({ switches, timezone }: OnTimes, answeredAt: number): Map<string, number> {
  const since = new Map<string, number>()
  for (const { switchId, spans, days } of switches) {
    const last = spans.at(-1)
    const firstDay = days[0]
    if (last === undefined || firstDay === undefined || last.to < answeredAt - slackMs) continue
    if (last.from > zonedMs(firstDay.date, '00:00', timezone)) since.set(switchId, last.from)
  }
  return since
}
