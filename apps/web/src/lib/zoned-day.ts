/** A calendar day of the reader as the instant at which it begins, or ends; undefined for none. */
export function dayInstant(day: string | undefined, end: 'begin' | 'end'): string | undefined {
  const at = new Date(`${day ?? ''}T${end === 'begin' ? '00:00:00.000' : '23:59:59.999'}`)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
