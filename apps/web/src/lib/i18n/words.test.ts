import { createIntl } from 'react-intl'
import { describe, expect, test } from 'vitest'
import { durationText, shortDurationText } from './duration-words.ts'
import { sizeText } from './size-words.ts'
import { wallDate, wallTime, wallWeekday } from './wall-clock.ts'

const en = createIntl({ locale: 'en-GB', messages: {} })
const ne = createIntl({ locale: 'ne-NP', messages: {} })

describe('durations are formatted in', () => {
  test.each([
    [0, '0 secs'],
    [59, '59 secs'],
    [60, '1 min'],
    [3599, '59 mins'],
    [3600, '1 hr'],
    [15_300, '4 hrs 15 mins']
  ])('%s s: %s', (seconds, words) => {
    expect(durationText(en, seconds)).toBe(words)
  })
  test('digits of the language', () => {
    expect(durationText(ne, 15_300)).toMatch(/^४.*१५/)
    expect(shortDurationText(ne, 5400)).toMatch(/^१\.५/)
  })
  test('short forms on a bar', () => {
    expect([0, 30, 900, 5400].map((seconds) => shortDurationText(en, seconds))).toEqual(['0', '30s', '15m', '1.5h'])
  })
})

describe('clock times and dates without a zone', () => {
  test('are shown unchanged, whatever the zone of the browser', () => {
    const faraway = createIntl({ locale: 'en-GB', messages: {}, timeZone: 'Pacific/Kiritimati' })
    for (const intl of [en, faraway]) {
      expect(wallTime(intl, '00:15')).toBe('00:15')
      expect(wallDate(intl, '2026-11-22')).toBe('Sun 22 Nov')
      expect(wallWeekday(intl, '2026-11-22')).toBe('Sun')
    }
  })
  test('use the digits of the language', () => {
    expect(wallTime(ne, '18:05')).toBe('१८:०५')
  })
})

describe('sizes', () => {
  test.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [3, '3 bytes'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [98_304, '98 kB'],
    [999_499, '999 kB'],
    [999_500, '1 MB'],
    [1_310_000, '1.31 MB']
  ])('%s bytes: %s', (size, words) => {
    expect(sizeText(en, size)).toBe(words)
  })
  test('use the digits of the language', () => {
    expect(sizeText(ne, 3)).toMatch(/^३/)
  })
})
