import type { ActionLogRecord } from '@batti/contracts'
import { describe, expect, test } from 'vitest'
import { messages as en } from '#web/i18n/en/logs.ts'
import { foldRuns } from './fold-runs.ts'
import { groupByDay } from './group-by-day.ts'
import { causeOfLog } from './log-cause.ts'
import { periodOf, readFilters, writeFilters } from './log-filters.ts'
import { logSentence } from '#web/lib/records/log-sentence.ts'
import { whyRow } from './why-row.ts'

describe('rows by day', () => {
  test('a day begins at the browser’s midnight, and the newest row stays first', () => {
    const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString()
    const days = groupByDay([
      { id: 1, createdAt: at(22, 0) },
      { id: 2, createdAt: at(21, 23) },
      { id: 3, createdAt: at(21, 1) }
    ])
    expect(days.map(({ day, rows }) => [day, rows.map(({ id }) => id)])).toEqual([
      [new Date(2026, 10, 22).getTime(), [1]],
      [new Date(2026, 10, 21).getTime(), [2, 3]]
    ])
  })
})

describe('runs of speeds', () => {
  const speed = (id: string, second: number, changes: Partial<ActionLogRecord> = {}): ActionLogRecord =>
    ({
      _id: id,
      kind: 'change',
      switchId: 'fan',
      description: `Ceiling fan speed set to ${second}`,
      userName: 'Sita',
      from: 'web',
      createdAt: new Date(Date.UTC(2026, 10, 22, 12, 0, second)).toISOString(),
      ...changes
    }) as ActionLogRecord
  const received = (rows: ActionLogRecord[], keptId?: string) =>
    foldRuns(rows, keptId).map(({ row, earlier }) => [row._id, earlier.length])

  test('intermediate speeds are folded into the last one', () => {
    expect(received([speed('c', 30), speed('b', 20), speed('a', 10)])).toEqual([['c', 2]])
  })
  test('another person, another switch, turning off and a pause end a run', () => {
    const off = speed('off', 15, { description: 'Ceiling fan turned OFF' })
    expect(received([speed('b', 20), off, speed('a', 10)])).toEqual([
      ['b', 0],
      ['off', 0],
      ['a', 0]
    ])
    expect(received([speed('b', 20), speed('a', 10, { userName: 'Ram' })])).toHaveLength(2)
    expect(received([speed('b', 20), speed('a', 10, { switchId: 'other' })])).toHaveLength(2)
    expect(received([speed('b', 120), speed('a', 10)])).toHaveLength(2)
  })
  test('the requested row is never folded into another', () => {
    expect(received([speed('b', 20), speed('a', 10)], 'a')).toHaveLength(2)
  })
})

describe('the reason for the state of a switch', () => {
  const row = (id: string, state: boolean | null, changes: { switchId?: string; kind?: 'change' | 'missed' } = {}) => ({
    _id: id,
    kind: 'change' as const,
    switchId: 's',
    state,
    ...changes
  })
  test('a fan that was slowed down later is on because it was turned on', () => {
    expect(whyRow([row('slower', true), row('on', true), row('off', false)], 's')?._id).toBe('on')
  })
  test('other switches and missed schedules are no reason', () => {
    const rows = [row('missed', null, { kind: 'missed' }), row('other', true, { switchId: 'x' }), row('off', false)]
    expect(whyRow(rows, 's')?._id).toBe('off')
  })
  test('an empty log has no reason', () => {
    expect(whyRow([], 's')).toBeNull()
  })
})

describe('the cause of a row', () => {
  test.each([
    ['person', { kind: 'change', cause: { by: 'user', from: 'web' }, from: 'web' }],
    ['button', { kind: 'change', cause: { by: 'button', from: 'board' }, from: 'board' }],
    ['schedule', { kind: 'change', cause: { by: 'schedule', from: 'schedule' }, from: 'schedule' }],
    ['power', { kind: 'change', cause: { by: 'power', from: 'board' }, from: 'board' }],
    ['missed', { kind: 'missed', cause: { by: 'schedule', from: 'schedule' }, from: 'schedule' }],
    ['unknown', { kind: 'change', cause: { by: 'unknown', from: 'board' }, from: 'board' }]
  ] as const)('is shown as %s', (received, row) => {
    expect(causeOfLog(row)).toBe(received)
  })
})

describe('the server’s sentences', () => {
  test.each([
    ['Kitchen lamp turned ON', 'logs.turned', { name: 'Kitchen lamp', state: 'on' }],
    ['Anil Rai cleared the whole action log', 'logs.clearedBy', { name: 'Anil Rai' }],
    ['A turned ON turned OFF', 'logs.turned', { name: 'A turned ON', state: 'off' }],
    ['Ceiling fan speed set to 140', 'logs.level.fan', { name: 'Ceiling fan', value: 140 }],
    [
      'Gate light was not turned ON at 18:00: Gate was offline',
      'logs.missed.offline',
      { name: 'Gate light', state: 'on', time: '18:00', board: 'Gate' }
    ],
    [
      'Pump was not turned OFF at 06:20: Gate could not be reached, because the server was down',
      'logs.missed.serverDown',
      { name: 'Pump', state: 'off', time: '06:20', board: 'Gate' }
    ]
  ])('%s', (description, id, values) => {
    expect(logSentence(description)).toEqual({ id, values })
  })
  test('an unknown one is shown unchanged', () => {
    expect(logSentence('Somebody did something new')).toBeNull()
  })
  test('every selectable text exists', () => {
    expect(Object.keys(en)).toEqual(expect.arrayContaining(['logs.missed.noResponse', 'logs.missed.refused']))
  })
})

describe('filters', () => {
  test('are read from the address as they were written', () => {
    const filters = { switchId: 'abc', from: 'board' as const, day: '7-days' as const }
    expect(readFilters(new URLSearchParams(writeFilters(filters)))).toEqual(filters)
    expect(writeFilters(readFilters(new URLSearchParams()))).toEqual({})
  })
  test.each(['someday', '2026-02-30', '2026-13-01', '2026-2-3'])('with unknown values are ignored: %s', (day) => {
    const params = new URLSearchParams(`from=moon&day=${day}`)
    expect(readFilters(params)).toEqual({ switchId: null, from: null, day: null })
  })
  test('yesterday is the whole previous day of the browser’s calendar, and ends before today', () => {
    const now = new Date(2026, 10, 22, 9, 30).getTime()
    expect(periodOf('yesterday', now)).toEqual({
      since: new Date(2026, 10, 21).toISOString(),
      until: new Date(2026, 10, 21, 23, 59, 59, 999).toISOString()
    })
    expect(periodOf('today', now)).toEqual({ since: new Date(2026, 10, 22).toISOString() })
    expect(periodOf('7-days', now)).toEqual({ since: new Date(2026, 10, 16).toISOString() })
    expect(periodOf('2026-11-05', now)).toEqual({
      since: new Date(2026, 10, 5).toISOString(),
      until: new Date(2026, 10, 5, 23, 59, 59, 999).toISOString()
    })
  })
})
