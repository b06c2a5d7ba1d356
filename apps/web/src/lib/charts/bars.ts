export interface Bar {
  x: number
  y: number
  width: number
  height: number
}

/** A value above 0 is never lower than this. */
const least = 2

/** Returns bars that share the width; the highest value is as high as the box. */
export function barsIn(
  values: readonly number[],
  box: { width: number; height: number; max: number; gap: number }
): Bar[] {
  const { width, height, max, gap } = box
  const each = (width - gap * Math.max(0, values.length - 1)) / Math.max(1, values.length)
  return values.map((value, index) => {
    const share = max <= 0 ? 0 : Math.min(1, value / max)
    const high = value <= 0 ? 0 : Math.max(least, share * height)
    return { x: index * (each + gap), y: height - high, width: each, height: high }
  })
}
