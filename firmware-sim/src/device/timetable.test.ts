import { scheduleLateLimitMs, type ScheduleEntry, type SchedulesPayload } from '@batti/contracts'
import { minuteMs } from '@batti/kit/durations'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firingsBetween, nextFiringAt, owedFirings } from './timetable.ts'

const id = `${'b'.repeat(24)}:start`
const timetable = (timezone: string, entry: Partial<ScheduleEntry>): SchedulesPayload => ({
  rev: 1,
  timezone,
  entries: [{ id, index: 0, on: true, time: '18:00', repeat: 'daily', ...entry }]
})
const firings = (table: SchedulesPayload, from: string, to: string): string[] =>
  firingsBetween(table, Date.parse(from), Date.parse(to)).map(({ at }) => new Date(at).toISOString())

describe('firings', () => {
  test('follow the local time of the zone: 18:00 in Kathmandu is 12:15 UTC', () => {
    expect(firings(timetable('Asia/Kathmandu', {}), '2026-11-21T00:00Z', '2026-11-22T23:00Z')).toEqual([
      '2026-11-21T12:15:00.000Z',
      '2026-11-22T12:15:00.000Z'
    ])
  })

  test('are due since the board last checked, as far back as the server itself would catch up', () => {
    const at = Date.parse('2026-11-21T12:15Z')
    const owed = (doneUntil: number, serverNow: number): number =>
      owedFirings(timetable('Asia/Kathmandu', {}), doneUntil, serverNow).length
    expect(owed(at - minuteMs, at + minuteMs)).toBe(1)
    expect(owed(at, at + minuteMs)).toBe(0)
    expect(owed(at - 60 * minuteMs, at + scheduleLateLimitMs)).toBe(0)
    expect(owed(at - 60 * minuteMs, at + scheduleLateLimitMs - 1)).toBe(1)
  })

  test('of a skipped time come after the gap, once', () => {
    expect(firings(timetable('America/New_York', { time: '02:30' }), '2027-03-14T00:00Z', '2027-03-14T23:00Z')).toEqual(
      ['2027-03-14T07:30:00.000Z']
    )
  })

  test('of a repeated time come once, at the first', () => {
    expect(firings(timetable('America/New_York', { time: '01:30' }), '2026-11-01T00:00Z', '2026-11-01T23:00Z')).toEqual(
      ['2026-11-01T05:30:00.000Z']
    )
  })

  test('follow a clock change of half an hour in Lord Howe', () => {
    expect(
      firings(timetable('Australia/Lord_Howe', { time: '12:00' }), '2026-10-03T00:00Z', '2026-10-05T00:00Z')
    ).toEqual(['2026-10-03T01:30:00.000Z', '2026-10-04T01:00:00.000Z'])
  })

  test('of a weekly entry come on its days, by the zone’s calendar', () => {
    const table = timetable('Asia/Kathmandu', { repeat: 'weekly', days: ['Sun', 'Wed'], time: '02:00' })
    // Sunday 22 November 02:00 in Kathmandu is still Saturday in UTC.
    expect(firings(table, '2026-11-21T00:00Z', '2026-11-27T00:00Z')).toEqual([
      '2026-11-21T20:15:00.000Z',
      '2026-11-24T20:15:00.000Z'
    ])
  })

  test('of a once entry come on its date only, and none after an end date', () => {
    expect(
      firings(timetable('UTC', { repeat: 'once', date: '2026-11-22' }), '2026-11-20T00:00Z', '2026-11-30T00:00Z')
    ).toEqual(['2026-11-22T18:00:00.000Z'])
    expect(firings(timetable('UTC', { endDate: '2026-11-21' }), '2026-11-20T20:00Z', '2026-11-30T00:00Z')).toEqual([
      '2026-11-21T18:00:00.000Z'
    ])
  })

  test('of an end that a skipped hour would put before its start keep their distance from it', () => {
    const { entries, ...table } = timetable('America/New_York', { time: '02:30' })
    const end = entries.map((entry) => ({ ...entry, id: `${'b'.repeat(24)}:end`, on: false, time: '03:00' }))
    const night = firingsBetween(
      { ...table, entries: [...end, ...entries] },
      Date.parse('2027-03-14T00:00Z'),
      Date.parse('2027-03-14T23:00Z')
    )
    expect(night.map(({ at, entry }) => [new Date(at).toISOString(), entry.on])).toEqual([
      ['2027-03-14T07:30:00.000Z', true],
      ['2027-03-14T08:00:00.000Z', false]
    ])
  })

  test.each([
    ['first', 'a'],
    ['last', 'c']
  ])(
    'of an end and a start of one outlet at the same instant are the start alone, with the end created %s',
    (_name, digit) => {
      const { entries, ...table } = timetable('UTC', {})
      const end = entries.map((entry) => ({ ...entry, id: `${digit.repeat(24)}:end`, on: false }))
      const other = end.map((entry) => ({ ...entry, index: 1 }))
      const evening = firingsBetween(
        { ...table, entries: [...entries, ...end, ...other] },
        Date.parse('2026-11-21T17:00Z'),
        Date.parse('2026-11-21T19:00Z')
      )
      const byOutlet = evening.map(({ entry }) => entry).toSorted((a, b) => a.index - b.index)
      expect(byOutlet.map(({ index, on }) => [index, on])).toEqual([
        [0, true],
        [1, false]
      ])
    }
  )

  test('of an end on the day after its start come on that day', () => {
    const schedule = 'c'.repeat(24)
    const entries: ScheduleEntry[] = [
      { id: `${schedule}:start`, index: 0, on: true, time: '22:00', repeat: 'daily' },
      { id: `${schedule}:end`, index: 0, on: false, time: '06:00', repeat: 'daily' }
    ]
    expect(firings({ rev: 1, timezone: 'UTC', entries }, '2026-11-21T12:00Z', '2026-11-22T12:00Z')).toEqual([
      '2026-11-21T22:00:00.000Z',
      '2026-11-22T06:00:00.000Z'
    ])
  })

  test.each(['start', 'end'])('of the %ss of two schedules at the same instant are that of the newer one', (phase) => {
    const [older, newer] = ['a', 'b'].map((digit) => ({
      id: `${digit.repeat(24)}:${phase}`,
      index: 0,
      on: true,
      time: '18:00',
      repeat: 'daily' as const
    }))
    if (older === undefined || newer === undefined) throw new Error('two entries')
    const elsewhere = { ...older, id: `0${older.id.slice(1)}`, index: 1 }
    for (const entries of [
      [older, newer, elsewhere],
      [elsewhere, newer, older]
    ]) {
      const table = { rev: 1, timezone: 'UTC', entries }
      const fired = firingsBetween(table, Date.parse('2026-11-21T12:00Z'), Date.parse('2026-11-22T12:00Z'))
      expect(new Set(fired.map(({ entry }) => entry))).toEqual(new Set([newer, elsewhere]))
    }
  })

  test('exclude the beginning of the span and include its end', () => {
    const table = timetable('UTC', {})
    expect(firings(table, '2026-11-21T18:00Z', '2026-11-21T18:00:01Z')).toEqual([])
    expect(firings(table, '2026-11-21T17:59:59Z', '2026-11-21T18:00Z')).toHaveLength(1)
  })

  test('are none in an unknown zone', () => {
    expect(firings(timetable('../x', {}), '2026-11-21T00:00Z', '2026-11-22T00:00Z')).toEqual([])
    expect(nextFiringAt(timetable('../x', {}), 0)).toBe(Infinity)
  })
})

test('the next firing may be weeks away', () => {
  const table = timetable('UTC', { repeat: 'once', date: '2026-12-24' })
  expect(nextFiringAt(table, Date.parse('2026-11-26T12:00Z'))).toBe(Date.parse('2026-12-24T18:00Z'))
  expect(nextFiringAt(table, Date.parse('2026-12-24T18:00Z'))).toBe(Infinity)
})

test('the next firing is not a skipped time that comes after one of the next day', () => {
  // In Scoresbysund the clocks go from 23:00 to 0:00 in the night of 2029-03-24.
  const { entries } = timetable('UTC', { time: '23:59' })
  const table = { ...timetable('America/Scoresbysund', { time: '00:30' }), entries: [...entries] }
  table.entries.push(...timetable('UTC', { time: '00:30' }).entries)
  const evening = Date.parse('2029-03-24T22:00-02:00')
  expect(new Date(nextFiringAt(table, evening)).toISOString()).toBe('2029-03-25T01:30:00.000Z')
})

test('the next firing is the first of all firings, in every zone and season', () => {
  const zone = fc.constantFrom(
    'Asia/Kathmandu',
    'Europe/London',
    'America/New_York',
    'Australia/Lord_Howe',
    'Pacific/Apia'
  )
  const from = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 0, 1) })
  const time = fc
    .integer({ min: 0, max: 1439 })
    .map((minute) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`)
  fc.assert(
    fc.property(zone, from, time, fc.boolean(), (timezone, at, wall, weekly) => {
      const table = timetable(timezone, { time: wall, ...(weekly ? { repeat: 'weekly', days: ['Mon'] } : {}) })
      expect(nextFiringAt(table, at)).toBe(firingsBetween(table, at, at + 9 * 86_400_000)[0]?.at)
    }),
    { numRuns: 200 }
  )
})
