import { describe, expect, it } from 'vitest'
import { parseIsoDate } from './date-text.ts'

const read = (text: string): string => parseIsoDate(text).toISOString()

describe('the text form of a date', () => {
  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-01-01T00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-12-31 23:59:59,9', '2026-12-31T23:59:59.900Z'],
    ['2026-12-31T23:59:59.123456789Z', '2026-12-31T23:59:59.123Z'],
    ['2026-12-31T24:00:00Z', '2027-01-01T00:00:00.000Z'],
    ['2026-06-15T12:00:00+05:45', '2026-06-15T06:15:00.000Z'],
    ['2026-06-15T12:00:00+0545', '2026-06-15T06:15:00.000Z'],
    ['2026-06-15T12:00:00-03:30', '2026-06-15T15:30:00.000Z']
  ])('%s is parsed as %s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  it.each([
    '2026-00-10',
    '2026-13-10',
    '2026-05-00',
    '2026-05-32',
    '2026-04-31',
    '2026-02-29',
    '2026-05-10T25:00:00Z',
    '2026-05-10T10:60:00Z',
    '2026-05-10T10:00:60Z',
    '2026-05-10T10Z',
    'tomorrow',
    ''
  ])('%s is not a date', (text) => {
    expect(() => read(text)).toThrow('Error parsing date string')
  })
})
