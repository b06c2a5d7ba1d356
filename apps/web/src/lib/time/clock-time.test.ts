import { expect, test } from 'vitest'
import { steppedTime, timeOf, typedTime } from './clock-time.ts'

/** The field after each key of a number pad. */
const typing = (keys: string) => Array.from(keys).reduce((shown, key) => typedTime(shown + key, shown), '')

test.each([
  ['1830', '18:30'],
  ['730', '7:30'],
  ['0', '0'],
  ['2', '2'],
  ['23', '23:'],
  ['245', '2:45'],
  ['18:30', '18:30'],
  ['7:05', '7:05'],
  ['7.05', '7:05'],
  ['18h30', '18:30'],
  ['१८३०', '18:30'],
  ['6pm', '18:00'],
  ['1pm', '13:00'],
  ['6:30pm', '18:30'],
  ['6:30 pm', '18:30'],
  ['630 PM', '18:30'],
  ['11.15 am', '11:15'],
  ['६:३० pm', '18:30'],
  ['7 30', '7:30'],
  ['1 30', '1:30']
])('the keys %s leave %s in the field', (keys, shown) => {
  expect(typing(keys)).toBe(shown)
})

test('the colon can be deleted, and a whole time can be pasted', () => {
  expect(typedTime('18', '18:')).toBe('18')
  expect(typedTime('1', '18')).toBe('1')
  expect(typedTime(' 1830'.trim(), '')).toBe('18:30')
  expect(typedTime('18:30:59', '')).toBe('18:30')
})

test.each([
  [' 23:30', '23:30'],
  ['23:30 ', '23:30'],
  [' 6:30 ', '6:30'],
  ['6:30 pm', '18:30'],
  ['6:30 p.m.', '18:30'],
  ['06:30 AM', '06:30'],
  ['12:05 am', '00:05'],
  ['12:05 pm', '12:05'],
  ['18:30 pm', '18:30'],
  [' ६:३०pm ', '18:30']
])('"%s" is pasted as %s', (text, shown) => {
  expect(typedTime(text, '')).toBe(shown)
})

test.each(['18:30am', '6:75pm', '0:30pm', '25pm', '6:30p', '6p'])(
  '%s is not a time, and is kept for the error',
  (text) => {
    expect(typedTime(text, '')).toBe(text)
    expect(timeOf(text, true)).toBeNull()
  }
)

test.each([
  ['18:30', '18:30', '18:30'],
  ['7:05', '07:05', '07:05'],
  ['00:00', '00:00', '00:00'],
  ['7', null, '07:00'],
  ['7:', null, '07:00'],
  ['18:3', null, null],
  ['24:00', null, null],
  ['12:60', null, null],
  ['', null, null]
])('%s is %s while typing, and %s on leaving the field', (typed, meanwhile, atLast) => {
  expect(timeOf(typed, false)).toBe(meanwhile)
  expect(timeOf(typed, true)).toBe(atLast)
})

test('steps wrap around the clock', () => {
  expect(steppedTime('18:59', 1)).toBe('19:00')
  expect(steppedTime('00:00', -1)).toBe('23:59')
  expect(steppedTime('23:30', 60)).toBe('00:30')
  expect(steppedTime('00:15', -60)).toBe('23:15')
})
