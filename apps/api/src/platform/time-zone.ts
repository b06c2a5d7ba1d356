/** Whether the runtime knows `name` as an IANA time zone such as `Asia/Kathmandu`. */
export function isTimeZone(name: string): boolean {
  if (name === '') return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
