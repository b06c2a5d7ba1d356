import { defaultTimezone } from '@batti/contracts'

/** Browsers still use old names of some zones, from when Unicode first listed them. */
const renamed: Record<string, string> = {
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Europe/Kiev': 'Europe/Kyiv'
}

/** Returns the current name of a zone; other names stay as they are. */
export function zoneName(zone: string): string {
  return renamed[zone] ?? zone
}

/** Returns the browser's own zone, or the default one where it knows none: it then says `Etc/Unknown`, or nothing. */
export function browserZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string }
  return timeZone === undefined || timeZone === 'Etc/Unknown' ? defaultTimezone : zoneName(timeZone)
}
