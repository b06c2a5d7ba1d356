import type { Span } from '#web/lib/charts/spans.ts'

/** A time as a fraction of a window, and its text. */
export interface HourMark {
  at: number
  text: string
}

const everyHours = 6

/** Returns marks at 0, 6, 12 and 18 h within a window, in the browser's zone. @param window milliseconds since the epoch. */
export function hourMarks({ from, to }: Span, wordsOf: (atMs: number) => string): HourMark[] {
  const hour = new Date(from)
  // By the hour that the clock shows, as a clock change may have skipped a mark.
  const goOn = () => hour.setHours(Math.ceil((hour.getHours() + 1) / everyHours) * everyHours, 0, 0, 0)
  const marks: HourMark[] = []
  for (let at = goOn(); at <= to; at = goOn()) marks.push({ at: (at - from) / (to - from), text: wordsOf(at) })
  return marks
}
