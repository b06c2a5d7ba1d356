/** Browsers still call some zones by the names they had when Unicode first listed them. */
const renamed: Record<string, string> = {
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Europe/Kiev': 'Europe/Kyiv'
}

/** The zone's name as its people write it today; every other name as it is. */
export function zoneName(zone: string): string {
  return renamed[zone] ?? zone
}

/** The browser's own zone. */
export function browserZone(): string {
  return zoneName(new Intl.DateTimeFormat().resolvedOptions().timeZone)
}
