import { createIntl } from 'react-intl'
import { expect, test } from 'vitest'
import { clockTime, relativeTime } from './time-words.ts'

const intl = createIntl({ locale: 'en', messages: {} })
/** By the browser's calendar, like the days of the log. */
const at = (text: string): number => new Date(`2026-11-${text}`).getTime()
const noon = at('27T12:00')

test.each([
  ['26T13:00', '23 hours ago'],
  ['26T11:00', 'yesterday'],
  ['26T00:01', 'yesterday'],
  ['25T23:00', '2 days ago'],
  ['25T13:00', '2 days ago'],
  ['20T23:00', '7 days ago'],
  ['20T11:00', '1 week ago'],
  ['14T09:00', '1 week ago'],
  ['28T13:00', 'tomorrow'],
  ['29T11:00', 'in 2 days']
])('on the 27th at noon, the %s is shown as %s: yesterday is a day, not 24 hours', (moment, said) => {
  expect(relativeTime(intl, at(moment), noon)).toBe(said)
})

test.each([
  ['2026-11-27T09:05', '09:05'],
  ['2026-11-20T09:05', '20 Nov, 09:05'],
  ['2025-11-27T09:05', '27 Nov 2025, 09:05']
])('on the 27th at noon, the moment %s is shown as %s', (moment, said) => {
  expect(clockTime(createIntl({ locale: 'en-GB' }), new Date(moment).getTime(), noon)).toBe(said)
})
