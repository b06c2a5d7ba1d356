import { expect, test } from 'vitest'
import { dayWindow } from './day-window.ts'
import { onSince } from './on-since.ts'
import { byTimeOn, longestDay } from './week.ts'

const timezone = 'Asia/Kathmandu'
const firstMidnight = Date.parse('2026-11-20T18:15:00Z')
const now = firstMidnight + 30 * 3_600_000
const onTime = (switchId: string, spans: { from: number; to: number }[], seconds = [0, 0]) => ({
  switchId,
  switchName: switchId,
  days: [
    { date: '2026-11-21', seconds: seconds[0] ?? 0 },
    { date: '2026-11-22', seconds: seconds[1] ?? 0 }
  ],
  spans
})

test('a switch whose last span is still open has been on since its start', () => {
  const switches = [
    onTime('on', [
      { from: firstMidnight + 1000, to: firstMidnight + 2000 },
      { from: now - 60_000, to: now }
    ]),
    onTime('off', [{ from: now - 600_000, to: now - 300_000 }]),
    onTime('never', []),
    onTime('before', [{ from: firstMidnight, to: now }])
  ]
  expect([...onSince({ timezone, switches, answeredAt: now })]).toEqual([['on', now - 60_000]])
})

test('the longest times come first, and charts share the longest day', () => {
  const switches = [onTime('a', [], [10, 20]), onTime('b', [], [50, 0])]
  expect(byTimeOn(switches).map(({ switchId }) => switchId)).toEqual(['b', 'a'])
  expect(longestDay(switches)).toBe(50)
  expect(longestDay([])).toBe(0)
})

test('a day of a clock change has its real length, and noon is at its real place', () => {
  const day = dayWindow('2026-11-01', 'America/New_York')
  expect((day.to - day.from) / 3_600_000).toBe(25)
  expect(day.marks.find(({ time }) => time === '12:00')?.at).toBeCloseTo(13 / 25)
  expect(day.marks.map(({ at }) => at).at(-1)).toBe(1)
})
