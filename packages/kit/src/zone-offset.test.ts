import { expect, it } from 'vitest'
import { zoneOffsetMs } from './zone-offset.ts'

const minute = 60_000

it.each([
  ['2026-01-15T12:00:00Z', 'UTC', 0],
  ['2026-01-15T12:00:00Z', 'Asia/Kathmandu', 345],
  ['2026-12-31T23:59:59.999Z', 'Asia/Kathmandu', 345],
  ['2026-01-15T12:00:00Z', 'America/New_York', -300],
  ['2026-07-15T12:00:00Z', 'America/New_York', -240],
  ['2026-03-29T00:59:59Z', 'Europe/Berlin', 60],
  ['2026-03-29T01:00:00Z', 'Europe/Berlin', 120],
  ['1969-12-31T23:59:59.500Z', 'Asia/Tokyo', 540],
  ['2026-01-01T00:00:00Z', 'Pacific/Kiritimati', 840]
])('at %s the clocks of %s are ahead by %i minutes', (at, zone, minutes) => {
  expect(zoneOffsetMs(Date.parse(at), zone)).toBe(minutes * minute)
})

it('throws for an unknown zone', () => {
  expect(() => zoneOffsetMs(0, 'Asia/Nowhere')).toThrow(RangeError)
})
