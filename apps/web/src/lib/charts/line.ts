export interface LinePoint {
  x: number
  y: number
  value: number
}

/** Values side by side as points of a line: the highest stands at the top, the lowest at the bottom of the box. */
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

/** As an SVG path. */
export const linePath = (points: readonly LinePoint[]): string =>
  points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'} ${round(x)} ${round(y)}`).join(' ')

const round = (value: number) => Math.round(value * 100) / 100

/** The greatest fall from one value to the next: which one it ends at, and by how much; null where nothing falls. */
export function steepestFall(values: readonly number[]): { at: number; by: number } | null {
  let found: { at: number; by: number } | null = null
  for (let index = 1; index < values.length; index += 1) {
    const by = (values[index - 1] ?? 0) - (values[index] ?? 0)
    if (by > (found?.by ?? 0)) found = { at: index, by }
  }
  return found
}
