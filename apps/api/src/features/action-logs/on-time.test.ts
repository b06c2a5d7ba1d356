import { describe, expect, test } from 'vitest'
import { Temporal } from 'temporal-polyfill'
import { lastDays, localDays, onSpans, secondsPerDay } from './on-time.ts'

const at = (iso: string): number => Date.parse(iso)
const window = { from: 0, to: 100 }
const change = (state: boolean, when: number) => ({ state, at: when })

describe('when a switch was on', () => {
  test.each([
    ['turned on and off', [change(true, 10), change(false, 30)], false, [[10, 30]]],
    ['on before the window', [change(false, 30)], true, [[0, 30]]],
    ['on to the end of it', [change(true, 90)], false, [[90, 100]]],
    ['on all the time', [], true, [[0, 100]]],
    ['never on', [], false, []],
    [
      'a fan whose speed changes is on once',
      [change(true, 10), change(true, 20), change(false, 30)],
      false,
      [[10, 30]]
    ],
    ['off twice, as two reports may say', [change(true, 10), change(false, 20), change(false, 30)], false, [[10, 20]]],
    ['on for no time at all', [change(true, 10), change(false, 10)], false, []],
    ['on at the end of the window', [change(true, 100)], false, []],
    ['changes after the window do not count', [change(true, 10), change(false, 130)], false, [[10, 100]]]
  ])('%s', (_what, changes, before, spans) => {
    expect(onSpans(changes, { ...window, before, current: false })).toEqual(spans.map(([from, to]) => ({ from, to })))
  })
  test('beyond the end of the log, the first change tells the state before', () => {
    const unknown = { ...window, before: null }
    expect(onSpans([change(false, 40)], { ...unknown, current: false })).toEqual([{ from: 0, to: 40 }])
    expect(onSpans([change(true, 40), change(false, 50)], { ...unknown, current: false })).toEqual([
      { from: 40, to: 50 }
    ])
    expect(onSpans([], { ...unknown, current: true })).toEqual([{ from: 0, to: 100 }])
  })
})

const days = (first: string, count: number, zone: string) => localDays(Temporal.PlainDate.from(first), count, zone)

describe('by local day', () => {
  test('the last days are those of the zone, today last, from its midnight', () => {
    // 20:00 UTC is 01:45 of the next day in Kathmandu.
    expect(lastDays(3, at('2026-11-20T20:00Z'), 'Asia/Kathmandu')).toEqual({
      from: at('2026-11-18T18:15Z'),
      to: at('2026-11-20T20:00Z'),
      days: [
        { date: '2026-11-19', from: at('2026-11-18T18:15Z'), to: at('2026-11-19T18:15Z') },
        { date: '2026-11-20', from: at('2026-11-19T18:15Z'), to: at('2026-11-20T18:15Z') },
        { date: '2026-11-21', from: at('2026-11-20T18:15Z'), to: at('2026-11-21T18:15Z') }
      ]
    })
  })
  test('a night is split at midnight of the zone', () => {
    const night = [{ from: at('2026-11-19T16:15Z'), to: at('2026-11-20T00:15Z') }]
    expect(secondsPerDay(night, days('2026-11-19', 2, 'Asia/Kathmandu'))).toEqual([
      { date: '2026-11-19', seconds: 2 * 3600 },
      { date: '2026-11-20', seconds: 6 * 3600 }
    ])
  })
  test('the days of clock changes have 23 and 25 hours', () => {
    const always = [{ from: 0, to: at('2030-01-01T00:00Z') }]
    const hours = (first: string, count: number, zone: string): number[] =>
      secondsPerDay(always, days(first, count, zone)).map(({ seconds }) => seconds / 3600)
    expect(hours('2026-11-01', 2, 'America/New_York')).toEqual([25, 24])
    expect(hours('2027-03-14', 1, 'America/New_York')).toEqual([23])
    expect(hours('2026-10-04', 1, 'Australia/Lord_Howe')).toEqual([23.5])
  })
})
