export interface RingPart {
  /** Length of the drawn stroke and of the rest, in units of the circumference 100. */
  length: number
  gap: number
  /** The start as a `stroke-dashoffset`: clockwise from the top. */
  offset: number
}

/**
 * Returns the parts of a ring of circumference 100, one per value, 2 apart. A value of 0 has none; a single value fills
 * the ring.
 */
export function ringParts(values: readonly number[]): (RingPart | null)[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  const shown = values.filter((value) => value > 0).length
  const space = shown > 1 ? 2 : 0
  const parts: (RingPart | null)[] = []
  let begin = 0
  for (const value of values) {
    const share = total === 0 ? 0 : (value / total) * 100
    // Keeps a share of one per cent visible.
    const length = Math.max(share - space, Math.min(share, 0.5))
    // A circle's stroke begins at three o'clock; a quarter back is the top.
    parts.push(value === 0 ? null : { length, gap: 100 - length, offset: 25 - begin })
    begin += share
  }
  return parts
}
