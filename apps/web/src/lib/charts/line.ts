export interface LinePoint {
  x: number
  y: number
  value: number
}

/** Returns the points of a line chart: the highest value is at the top of the box, the lowest at the bottom. */
export function lineIn(values: readonly number[], box: { width: number; height: number }): LinePoint[] {
  const top = Math.max(...values)
  const bottom = Math.min(...values)
  const step = values.length > 1 ? box.width / (values.length - 1) : 0
  return values.map((value, index) => ({
    x: index * step,
    y: top === bottom ? box.height / 2 : ((top - value) / (top - bottom)) * box.height,
    value
  }))
}

/** Returns the points as an SVG path. */
export const linePath = (points: readonly LinePoint[]): string =>
  points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'} ${round(x)} ${round(y)}`).join(' ')

const round = (value: number) => Math.round(value * 100) / 100

/** Returns the greatest fall between two neighbours: the index where it ends, and its size; null when nothing falls. */
export function steepestFall(values: readonly number[]): { at: number; by: number } | null {
  let found: { at: number; by: number } | null = null
  for (let index = 1; index < values.length; index += 1) {
    const by = (values[index - 1] ?? 0) - (values[index] ?? 0)
    if (by > (found?.by ?? 0)) found = { at: index, by }
  }
  return found
}
