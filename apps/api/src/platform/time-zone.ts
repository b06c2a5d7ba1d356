/** Whether the runtime knows `name` as an IANA time zone such as `Asia/Kathmandu`. */
export function isTimeZone(name: string): boolean {
  if (name === '') return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** A zone that people may set. Intl takes offsets such as +05:45 too, but they know nothing of daylight saving time. */
export const isNamedZone = (name: string): boolean => !/^[+-]/.test(name) && isTimeZone(name)
