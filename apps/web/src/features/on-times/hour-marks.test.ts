import { expect, test } from 'vitest'
import { hourMarks } from './hour-marks.ts'

const at = (text: string) => Date.parse(text)
const words = (atMs: number) => new Date(atMs).toISOString().slice(11, 16)

test('marks are at 0, 6, 12 and 18 o’clock, as fractions of the window', () => {
  const window = { from: at('2026-11-20T22:00:00Z'), to: at('2026-11-21T22:00:00Z') }
  expect(hourMarks(window, words)).toEqual([
    { at: 2 / 24, text: '00:00' },
    { at: 8 / 24, text: '06:00' },
    { at: 14 / 24, text: '12:00' },
    { at: 20 / 24, text: '18:00' }
  ])
})

test('a window that begins within the hour of a mark begins with the next mark', () => {
  const window = { from: at('2026-11-20T18:30:00Z'), to: at('2026-11-21T18:30:00Z') }
  expect(hourMarks(window, words).map(({ text }) => text)).toEqual(['00:00', '06:00', '12:00', '18:00'])
})
