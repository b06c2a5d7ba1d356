/** A calendar day of the reader as the instant at which it begins, or ends; undefined for none. */
export function dayInstant(day: string | undefined, end: 'begin' | 'end'): string | undefined {
  const at = new Date(`${day ?? ''}T${end === 'begin' ? '00:00:00.000' : '23:59:59.999'}`)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** The reader's calendar day of an instant, as a date field takes it; '' for none. */
export function instantDay(instant: string | null): string {
  if (instant === null) return ''
  const at = new Date(instant)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
