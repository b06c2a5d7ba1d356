/** Returns the instant at which a day of the reader's calendar begins or ends; undefined without a day. */
export function dayInstant(day: string | undefined, end: 'begin' | 'end'): string | undefined {
  const at = new Date(`${day ?? ''}T${end === 'begin' ? '00:00:00.000' : '23:59:59.999'}`)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** Returns the day of an instant in the reader's calendar, for a date field; '' without one. */
export function instantDay(instant: string | null): string {
  if (instant === null) return ''
  const at = new Date(instant)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
