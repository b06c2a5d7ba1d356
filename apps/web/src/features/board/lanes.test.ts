import { expect, test } from 'vitest'
import { placeOf, readAt, signalPath, withOpenEnd } from './lanes.ts'

const window = { from: 0, to: 1000 }
const iso = (at: number) => new Date(at).toISOString()
const history = {
  presence: [
    [iso(0), iso(300)],
    [iso(400), iso(1000)]
  ] as [string, string][],
  rssi: [
    { at: iso(100), value: -60 },
    { at: iso(150), value: -80 },
    { at: iso(600), value: -100 }
  ],
  boots: [iso(405)],
  commands: [{ at: iso(700), result: 'expired' as const, ms: null, by: 'Sita' }]
}

test('a moment outside the window is placed at its end', () => {
  expect([placeOf(-5, window), placeOf(250, window), placeOf(2000, window)]).toEqual([0, 0.25, 1])
})

test('the signal line is interrupted where nothing was measured', () => {
  expect(signalPath(history.rssi, window, { low: -100, high: -50, gapMs: 200 })).toBe('M100 20 L150 60 M600 100')
})

test('one moment is read from all four lanes', () => {
  const read = (at: number) => readAt(history, at, { window, nearMs: 50 })
  expect(read(120)).toMatchObject({ isOnline: true, since: null, until: 300, rssi: -60, command: null, isBoot: false })
  expect(read(350)).toMatchObject({ isOnline: false, since: 300, until: 400, rssi: null })
  expect(read(410)).toMatchObject({ isOnline: true, since: 400, until: null, isBoot: true })
  expect(read(690).command).toMatchObject({ result: 'expired', by: 'Sita' })
})

test('only the current presence of an online board has no end yet', () => {
  const late = { from: 0, to: 1200 }
  const ends = (onlineSince: number | null) => withOpenEnd(history, late, onlineSince).presence.map(([, to]) => to)
  expect(ends(400)).toEqual([iso(300), iso(1200)])
  expect(ends(0)).toEqual([iso(300), iso(1200)])
  expect(ends(null)).toEqual([iso(300), iso(1000)])
  // It reconnected after the history was requested.
  expect(ends(1100)).toEqual([iso(300), iso(1000)])
  expect(readAt(withOpenEnd(history, late, 400), 1100, { window: late, nearMs: 1 }).isOnline).toBe(true)
})
