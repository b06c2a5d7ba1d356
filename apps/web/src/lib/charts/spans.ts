export interface Span {
  from: number
  to: number
}

/** The parts of `spans` inside the window, as fractions of it from its start, 0 to 1. A short one keeps a width that can be seen. */
export function spansIn(spans: readonly Span[], window: Span): { start: number; width: number }[] {
  const whole = window.to - window.from
  if (whole <= 0) return []
  return spans.flatMap(({ from, to }) => {
    const begin = Math.max(from, window.from)
    const end = Math.min(to, window.to)
    if (end <= begin) return []
    const width = Math.min(1, Math.max(0.004, (end - begin) / whole))
    return [{ start: Math.min((begin - window.from) / whole, 1 - width), width }]
  })
}

/** How long the spans are inside the window, in seconds. */
export function secondsIn(spans: readonly Span[], window: Span): number {
  const covered = spans.reduce(
    (sum, { from, to }) => sum + Math.max(0, Math.min(to, window.to) - Math.max(from, window.from)),
    0
  )
  return Math.round(covered / 1000)
}
