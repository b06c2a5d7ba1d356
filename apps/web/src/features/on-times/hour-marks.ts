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
  hour.setHours(Math.ceil((hour.getHours() + 1) / everyHours) * everyHours, 0, 0, 0)
  const marks: HourMark[] = []
  while (hour.getTime() <= to) {
    marks.push({ at: (hour.getTime() - from) / (to - from), text: wordsOf(hour.getTime()) })
    hour.setHours(hour.getHours() + everyHours)
  }
  return marks
}
