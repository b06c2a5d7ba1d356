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

/** Returns the browser's own zone. */
export function browserZone(): string {
  return zoneName(new Intl.DateTimeFormat().resolvedOptions().timeZone)
}
