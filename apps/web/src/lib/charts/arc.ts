/** An arc of 270°, open at the bottom. A value from 0 to 1 fills it clockwise. Angles are in degrees from the top. */
const startAngle = -135
const sweep = 270

/** Returns the point at a fraction of the arc, around (0, 0). */
export function arcPoint(fraction: number, radius: number): { x: number; y: number } {
  const angle = ((startAngle + sweep * fraction) * Math.PI) / 180
  return { x: radius * Math.sin(angle), y: -radius * Math.cos(angle) }
}

/** Returns an SVG path along the arc up to a fraction. */
export function arcPath(fraction: number, radius: number): string {
  const from = arcPoint(0, radius)
  const to = arcPoint(fraction, radius)
  const isLarge = sweep * fraction > 180
  return `M ${round(from.x)} ${round(from.y)} A ${radius} ${radius} 0 ${isLarge ? 1 : 0} 1 ${round(to.x)} ${round(to.y)}`
}

/** Returns the fraction for a pointer at (dx, dy) from the centre; below the opening, that of the nearer end. */
export function arcFraction(dx: number, dy: number): number {
  const angle = (Math.atan2(dx, -dy) * 180) / Math.PI
  return Math.min(1, Math.max(0, (angle - startAngle) / sweep))
}

const round = (value: number) => Math.round(value * 100) / 100
