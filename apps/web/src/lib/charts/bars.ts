export interface Bar {
  x: number
  y: number
  width: number
  height: number
}

/** Returns bars that share the width; the highest value is as high as the box. A value above 0 is at least `least` high. */
export function barsIn(
  values: readonly number[],
  box: { width: number; height: number; max: number; gap: number; least?: number }
): Bar[] {
  const { width, height, max, gap, least = 2 } = box
  const each = (width - gap * Math.max(0, values.length - 1)) / Math.max(1, values.length)
  return values.map((value, index) => {
    const share = max <= 0 ? 0 : Math.min(1, value / max)
    const high = value <= 0 ? 0 : Math.max(least, share * height)
    return { x: index * (each + gap), y: height - high, width: each, height: high }
  })
}
