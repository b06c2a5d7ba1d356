import { expect, test } from 'vitest'
import { zonedDate, zonedMs } from './zoned-time.ts'

test.each([
  ['Kathmandu is ahead by a quarter to six', '2026-11-22', '00:00', 'Asia/Kathmandu', '2026-11-21T18:15:00Z'],
  ['the end of a day is the next one’s beginning', '2026-11-22', '24:00', 'Asia/Kathmandu', '2026-11-22T18:15:00Z'],
  ['New York before its clocks go back', '2026-11-01', '00:00', 'America/New_York', '2026-11-01T04:00:00Z'],
  ['New York after', '2026-11-01', '24:00', 'America/New_York', '2026-11-02T05:00:00Z'],
  ['London on the day its clocks go forward', '2026-03-29', '06:00', 'Europe/London', '2026-03-29T05:00:00Z'],
  ['Lord Howe moves by half an hour', '2026-10-04', '00:00', 'Australia/Lord_Howe', '2026-10-03T13:30:00Z'],
  ['and is ahead by eleven hours after it', '2026-10-04', '12:00', 'Australia/Lord_Howe', '2026-10-04T01:00:00Z'],
  [
    'Santiago has no midnight on the day its clocks go forward',
    '2026-09-06',
    '00:00',
    'America/Santiago',
    '2026-09-06T04:00:00Z'
  ],
  ['its day before ends there', '2026-09-05', '24:00', 'America/Santiago', '2026-09-06T04:00:00Z'],
  ['Cairo has none either', '2026-04-24', '00:00', 'Africa/Cairo', '2026-04-23T22:00:00Z'],
  [
    'Havana has two midnights on the day its clocks go back',
    '2026-11-01',
    '00:00',
    'America/Havana',
    '2026-11-01T04:00:00Z'
  ],
  ['Berlin has two times of half past two', '2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
  ['New York has no half past two in March', '2026-03-08', '02:30', 'America/New_York', '2026-03-08T07:30:00Z']
])('%s', (_what, date, time, zone, expected) => {
  expect(new Date(zonedMs(date, time, zone)).toISOString()).toBe(new Date(expected).toISOString())
})

test('the date is that of the zone’s own calendar', () => {
  const at = Date.parse('2026-11-21T18:30:00Z')
  expect(zonedDate(at, 'Asia/Kathmandu')).toBe('2026-11-22')
  expect(zonedDate(at, 'America/New_York')).toBe('2026-11-21')
})
