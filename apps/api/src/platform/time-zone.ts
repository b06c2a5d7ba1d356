/** Whether the runtime knows `name` as an IANA time zone such as `Asia/Kathmandu`. */
export function isTimeZone(name: string): boolean {
  if (name === '') return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Whether people may set the zone. Intl also accepts offsets such as +05:45, but they have no daylight saving time. */
export const isNamedZone = (name: string): boolean => !/^[+-]/.test(name) && isTimeZone(name)
