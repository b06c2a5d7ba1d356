import type { Span } from '#web/lib/charts/spans.ts'
import { zonedMs } from '#web/lib/time/zoned-time.ts'

const markedTimes = ['00:00', '06:00', '12:00', '18:00', '24:00'] as const

/** Returns the span of a local day (23, 24 or 25 hours) and the positions of its marks as fractions. */
export function dayWindow(date: string, zone: string): Span & { marks: { at: number; time: string }[] } {
  const from = zonedMs(date, '00:00', zone)
  const to = zonedMs(date, '24:00', zone)
  const marks = markedTimes.map((time) => ({ at: (zonedMs(date, time, zone) - from) / (to - from), time }))
  return { from, to, marks }
}
