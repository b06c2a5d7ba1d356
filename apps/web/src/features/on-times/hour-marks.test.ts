import { runToEnd } from '@batti/kit/node/testing'
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

/** Runs in a process of its own: the zone of a process is read when it starts. */
test('after clocks skip midnight, as in Santiago, marks are at 6, 12 and 18 o’clock again', () => {
  const script = `
    import { hourMarks } from './hour-marks.ts'
    const window = { from: Date.parse('2026-09-06T01:00:00Z'), to: Date.parse('2026-09-07T04:00:00Z') }
    console.log(JSON.stringify(hourMarks(window, (at) => new Date(at).getHours())))`
  const options = { cwd: import.meta.dirname, env: { ...process.env, TZ: 'America/Santiago' } }
  const marks: unknown = JSON.parse(
    runToEnd(process.execPath, ['--input-type=module', '--eval', script], options).stdout
  )
  expect(marks).toEqual([
    { at: 3 / 27, text: 1 },
    { at: 8 / 27, text: 6 },
    { at: 14 / 27, text: 12 },
    { at: 20 / 27, text: 18 },
    { at: 26 / 27, text: 0 }
  ])
})
