import { expect, test } from 'vitest'
import { durationText, shortDurationText } from './duration-words.ts'
import { nepaliDate, nepaliRelativeTime, nepaliTexts } from './nepali.ts'
import { sizeText } from './size-words.ts'
import { createTexts } from './texts.ts'

const evening = Date.UTC(2026, 10, 21, 19, 5)
const inUtc = { timeZone: 'UTC' } as const

test('a date has Nepali names and digits, and follows its zone', () => {
  expect(nepaliDate(evening, { ...inUtc, dateStyle: 'full' })).toContain('शनिबार')
  expect(nepaliDate(evening, { ...inUtc, dateStyle: 'full' })).toContain('२१ नोभेम्बर २०२६')
  expect(nepaliDate(evening, { timeZone: 'Asia/Kathmandu', weekday: 'short', day: 'numeric' })).toMatch(
    /आइत.*२२|२२.*आइत/
  )
  expect(nepaliDate(evening, { ...inUtc, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })).toBe('१९:०५')
  expect(nepaliDate(evening, { ...inUtc, year: 'numeric', month: '2-digit', day: '2-digit' })).toContain('११')
})

test.each([
  [-12, 'minute', true, '१२ मिनेट पहिले'],
  [3, 'hour', true, '३ घण्टामा'],
  [-1, 'day', true, 'हिजो'],
  [-1, 'day', false, '१ दिन पहिले'],
  [0, 'second', true, 'अहिले'],
  [-2, 'days', true, '२ दिन पहिले']
] as const)('%i %s has the Nepali wording', (value, unit, isAuto, text) => {
  expect(nepaliRelativeTime(value, unit, isAuto)).toBe(text)
})

// Simulates a browser without Nepali data on a machine that has it.
test('texts, numbers and dates in a browser without Nepali data are Nepali anyway', () => {
  const messages = { count: '{count, plural, =0 {सबै बन्द} other {# बलेको}}' }
  const texts = createTexts({ language: 'ne', messages, nepaliTexts }, () => false)
  expect(texts.formatMessage({ id: 'count' }, { count: 4 })).toBe('४ बलेको')
  expect(texts.formatNumber(1_234_567)).toBe('१२,३४,५६७')
  expect(texts.formatDate(evening, { ...inUtc, month: 'long' })).toBe('नोभेम्बर')
  expect(texts.formatRelativeTime(-5, 'minute', { numeric: 'auto' })).toBe('५ मिनेट पहिले')
  expect(texts.formatList(['बत्ती', 'पंखा', 'सकेट'])).toBe('बत्ती, पंखा र सकेट')
})

test('durations in a browser without Nepali data have no Hindi words', () => {
  const texts = createTexts({ language: 'ne', messages: {}, nepaliTexts }, () => false)
  expect(durationText(texts, 15_300)).toBe('४ घण्टा १५ मिनेट')
  expect(durationText(texts, 30)).toBe('३० सेकेन्ड')
  expect([30, 900, 5400].map((seconds) => shortDurationText(texts, seconds))).toEqual(['३० से.', '१५ मि.', '१.५ घ.'])
  expect(texts.formatNumber(2, { style: 'unit', unit: 'day', unitDisplay: 'long' })).toBe('२ दिन')
  expect(sizeText(texts, 98_304)).toBe('९८ kB')
})

test('durations on a bar are as short in a browser with Nepali data', () => {
  const texts = createTexts({ language: 'ne', messages: {}, nepaliTexts }, () => true)
  expect(shortDurationText(texts, 5400)).toBe('१.५ घ.')
  expect(durationText(texts, 15_300)).toBe('४ घण्टा १५ मिनेट')
})

test('English stays English', () => {
  const texts = createTexts({ language: 'en', messages: {} }, () => false)
  expect(texts.formatDate(evening, { ...inUtc, month: 'long' })).toBe('November')
})
