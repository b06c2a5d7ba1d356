export interface Span {
  from: number
  to: number
}

/** Parses spans from the wire format: pairs of ISO times. */
export const spansOf = (pairs: readonly (readonly [from: string, to: string])[]): Span[] =>
  pairs.map(([from, to]) => ({ from: Date.parse(from), to: Date.parse(to) }))

/** Returns the parts of `spans` inside the window as fractions of it, 0 to 1. A short one keeps a visible width. */
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

/** Returns the total length of the spans inside the window, in ms. */
export const msIn = (spans: readonly Span[], window: Span): number =>
  spans.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, window.to) - Math.max(from, window.from)), 0)
export const secondsIn = (spans: readonly Span[], window: Span): number => Math.round(msIn(spans, window) / 1000)
