import { describe, expect, test } from 'vitest'
import { findRegression, judgePause, judgeStage, type StageFacts } from './judge-rollout.ts'
import { planStages } from '../plan/plan-stages.ts'
import { isWithin, judgeSendingTime } from './sending-times.ts'
import { createTakeProgress, judgeProgress, readError } from './take-progress.ts'

const now = 1_000_000_000
const facts: StageFacts = {
  total: 4,
  done: 4,
  busy: 0,
  waitingOnline: 0,
  away: 0,
  lastDoneAt: now - 31 * 60_000
}

describe('a stage of 30 minutes hold', () => {
  const stage = { holdMinutes: 30, then: 'go' as const }
  const context = { isLast: false, openInAll: 0, follow: false, now }
  test.each<[string, Partial<StageFacts>, object, object, string]>([
    ['goes on after its hold', {}, {}, {}, 'next'],
    ['holds from when its last board was proved', { lastDoneAt: now - 29 * 60_000 }, {}, {}, 'wait'],
    ['asks after its hold where it is told to', {}, { then: 'ask' }, {}, 'ask'],
    ['does not ask before', { lastDoneAt: now }, { then: 'ask' }, {}, 'wait'],
    ['waits for boards that have something in hand', { busy: 1 }, {}, {}, 'wait'],
    ['waits for boards that are there and were not sent anything', { waitingOnline: 1 }, {}, {}, 'wait'],
    ['does not wait for boards that are away', { done: 1, away: 3 }, {}, {}, 'next'],
    ['waits where all are away', { done: 0, away: 4 }, {}, {}, 'wait'],
    ['asks where all failed', { done: 0 }, {}, {}, 'ask'],
    ['asks where all left, and none was proved', { done: 0, lastDoneAt: 0 }, {}, {}, 'ask'],
    ['waits where some failed and the others are away', { done: 0, away: 2 }, {}, {}, 'wait'],
    ['is passed at once where it is empty', { total: 0, done: 0, lastDoneAt: 0 }, {}, {}, 'next'],
    ['ends the rollout where it is the last', { lastDoneAt: now }, {}, { isLast: true }, 'end'],
    ['does not end it while any stage has open boards', {}, {}, { isLast: true, openInAll: 1 }, 'wait'],
    ['does not end it while boards may come', {}, {}, { isLast: true, follow: true }, 'wait']
  ])('%s', (_name, factsChange, stageChange, contextChange, expected) => {
    expect(
      judgeStage({ ...stage, ...stageChange }, { ...facts, ...factsChange }, { ...context, ...contextChange }).kind
    ).toBe(expected)
  })
})

describe('a rollout', () => {
  test.each([
    [{ tried: 10, failed: 1, silent: 0 }, 5, null],
    [{ tried: 10, failed: 2, silent: 0 }, 5, 'failures'],
    [{ tried: 40, failed: 2, silent: 0 }, 5, null],
    [{ tried: 39, failed: 2, silent: 0 }, 5, 'failures'],
    [{ tried: 100, failed: 5, silent: 0 }, 5, null],
    [{ tried: 2, failed: 2, silent: 0 }, 100, null],
    [{ tried: 100, failed: 2, silent: 0 }, 0, 'failures'],
    [{ tried: 100, failed: 0, silent: 10 }, 5, null],
    [{ tried: 100, failed: 0, silent: 11 }, 5, 'silence'],
    [{ tried: 5, failed: 0, silent: 1 }, 5, null],
    [{ tried: 5, failed: 0, silent: 2 }, 5, 'silence']
  ])('of %j with at most %i %% pauses by %s', (tally, limit, by) => {
    expect(judgePause(tally, limit)?.by ?? null).toBe(by)
  })
  test('says how many boards had which share of trouble', () => {
    expect(judgePause({ tried: 9, failed: 3, silent: 4 }, 5)).toEqual({ by: 'failures', tried: 9, failed: 3, limit: 5 })
    expect(judgePause({ tried: 9, failed: 0, silent: 4 }, 5)).toEqual({ by: 'silence', tried: 9, failed: 4, limit: 10 })
  })

  const record = (boardHours: number, failed: number, reconnects = 0, restarts = 0) => ({
    boardHours,
    failed,
    reconnects,
    restarts
  })
  test.each([
    ['twice as many is no regression', record(1000, 100), record(1000, 200), null],
    ['more than twice as many is', record(1000, 100), record(1000, 201), 'failed'],
    ['a rate is of a board-hour', record(1000, 100), record(500, 101), 'failed'],
    ['each count stands for itself', record(1000, 100, 100, 100), record(1000, 100, 100, 201), 'restarts'],
    ['any of them counts', record(1000, 100, 100, 100), record(1000, 100, 201, 100), 'reconnects'],
    ['chance is none', record(1000, 0), record(1000, 90), null],
    ['too few hours say nothing', record(1000, 100), record(199, 199), null],
    ['nor do too few of the version before', record(100, 10), record(1000, 900), null]
  ])('%s', (_name, before, after, expected) => {
    expect(findRegression(before, after)).toBe(expected)
  })
})

describe('stages', () => {
  const boards = Array.from({ length: 21 }, (_, index) => ({
    id: String(index).padStart(3, '0'),
    labels: index < 3 ? ['lab'] : [],
    isOnline: index !== 0
  }))
  const sizes = (stages: Parameters<typeof planStages>[0]): [number[], number] => {
    const { taken, left } = planStages(stages, boards)
    return [taken.map(({ length }) => length), left]
  }
  test.each<[string, Parameters<typeof planStages>[0], number[], number]>([
    [
      'a share is cumulative and rounded up',
      [
        { percent: 5, then: 'go' },
        { percent: 25, then: 'go' },
        { percent: 100, then: 'go' }
      ],
      [2, 4, 15],
      0
    ],
    [
      'a number is of boards',
      [
        { devices: 1, then: 'go' },
        { percent: 5, then: 'go' },
        { percent: 100, then: 'go' }
      ],
      [1, 1, 19],
      0
    ],
    [
      'a group is those with its label',
      [
        { group: 'lab', then: 'go' },
        { percent: 100, then: 'go' }
      ],
      [3, 18],
      0
    ],
    [
      'a group without boards is empty',
      [
        { group: 'none', then: 'go' },
        { percent: 100, then: 'go' }
      ],
      [0, 21],
      0
    ],
    [
      'more than there are takes all',
      [
        { devices: 50, then: 'go' },
        { percent: 100, then: 'go' }
      ],
      [21, 0],
      0
    ],
    ['what nobody takes is left', [{ devices: 5, then: 'go' }], [5], 16]
  ])('%s', (_name, stages, taken, left) => {
    expect(sizes(stages)).toEqual([taken, left])
  })
  test('online boards come first', () => {
    expect(
      planStages(
        [
          { devices: 20, then: 'go' },
          { percent: 100, then: 'go' }
        ],
        boards
      ).taken[1]
    ).toEqual(['000'])
  })
})

describe('hours', () => {
  test.each([
    ['01:00', '05:00', '01:00', true],
    ['01:00', '05:00', '04:59', true],
    ['01:00', '05:00', '05:00', false],
    ['22:00', '06:00', '23:30', true],
    ['22:00', '06:00', '05:59', true],
    ['22:00', '06:00', '06:00', false],
    ['22:00', '06:00', '12:00', false]
  ])('from %s to %s contain %s: %s', (from, to, clock, expected) => {
    expect(isWithin({ from, to }, clock)).toBe(expected)
  })

  const noon = Date.parse('2026-11-22T12:00:00Z')
  const night = Date.parse('2026-11-22T20:00:00Z')
  const rules = { allowedHours: null, updateWhen: 'any' as const, waitsSince: noon }
  const board = { zone: 'Asia/Kathmandu', hasOutletOn: true }
  test.each([
    ['any time', {}, board, noon, 'now'],
    ['allowed hours in the zone of the board', { allowedHours: { from: '17:00', to: '18:00' } }, board, noon, 'now'],
    ['not outside of them', { allowedHours: { from: '12:00', to: '13:00' } }, board, noon, 'later'],
    ['at night there, which is evening here', { updateWhen: 'night' as const }, board, night, 'now'],
    ['not by day', { updateWhen: 'night' as const }, board, noon, 'later'],
    ['when nothing is on', { updateWhen: 'idle' as const }, { ...board, hasOutletOn: false }, noon, 'now'],
    ['not while something is on', { updateWhen: 'idle' as const }, board, noon, 'later'],
    [
      'after seven days at night',
      { updateWhen: 'idle' as const, waitsSince: night - 8 * 86_400_000 },
      board,
      night,
      'now'
    ],
    ['but not by day', { updateWhen: 'idle' as const, waitsSince: noon - 8 * 86_400_000 }, board, noon, 'later']
  ])('%s', (_name, change, which, at, expected) => {
    expect(judgeSendingTime({ ...rules, ...change }, which, at).kind).toBe(expected)
  })

  test.each([
    ['when they begin', { allowedHours: { from: '17:55', to: '18:00' } }, '2026-11-22T12:10:00Z'],
    ['a quarter of an hour later if they begin after that', { updateWhen: 'night' as const }, '2026-11-22T12:15:00Z'],
    ['each minute if a lamp is on', { updateWhen: 'idle' as const }, '2026-11-22T12:01:00Z']
  ])('are looked at again %s', (_name, change, at) => {
    const verdict = judgeSendingTime({ ...rules, ...change }, board, noon + 20_000)
    expect(verdict).toMatchObject({ kind: 'later', lookAgainAt: Date.parse(at) })
  })
})

describe('progress reports of a board', () => {
  test.each([
    ['checksum: it differs', 'verify', { code: 'checksum', detail: 'it differs' }],
    ['signature', 'verify', { code: 'signature', detail: null }],
    ['no space left', 'download', { code: 'download-failed', detail: 'no space left' }],
    [undefined, 'reboot', { code: 'boot-failed', detail: null }]
  ] as const)('%s at %s', (text, phase, expected) => {
    expect(readError(text, phase)).toEqual(expected)
  })

  const at = (phase: Parameters<typeof judgeProgress>[0]['phase'], percent = 0) => ({ phase, percent, error: null })
  test.each([
    [at('sent'), { phase: 'download' as const, percent: 30 }, { phase: 'download', percent: 30 }],
    [at('download', 30), { phase: 'download' as const, percent: 30 }, null],
    [at('download', 30), { phase: 'download' as const, percent: 20 }, null],
    [at('install'), { phase: 'download' as const, percent: 90 }, null],
    [at('install'), { phase: 'reboot' as const, percent: 100 }, { phase: 'reboot', percent: 100 }],
    [at('reboot', 100), { phase: 'done' as const, percent: 100 }, null],
    [
      at('verify'),
      { phase: 'failed' as const, percent: 0 },
      { phase: 'failed', error: { code: 'checksum', detail: null } }
    ],
    [
      at('install'),
      { phase: 'failed' as const, percent: 0 },
      { phase: 'failed', error: { code: 'install-failed', detail: null } }
    ],
    [
      at('reboot'),
      { phase: 'failed' as const, percent: 0 },
      { phase: 'rolled-back', error: { code: 'boot-failed', detail: null } }
    ],
    [at('done'), { phase: 'failed' as const, percent: 0 }, null],
    [at('waiting'), { phase: 'download' as const, percent: 10 }, null]
  ])('%j and %j', (target, progress, expected) => {
    expect(judgeProgress(target, { id: 'j', ...progress })).toEqual(expected)
  })

  test('of a download are stored twice a second, its end always', async () => {
    let time = now
    let target = { phase: 'sent', percent: 0, error: null, _id: 't' }
    const written: number[] = []
    const targets = {
      findJob: () => Promise.resolve(target),
      change: (_target: unknown, fields: { percent?: number }) => {
        target = { ...target, ...fields }
        written.push(fields.percent ?? -1)
        return Promise.resolve(target)
      }
    }
    const takeProgress = createTakeProgress({ targets: targets as never, now: () => time, monotonic: () => time })
    for (const percent of [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]) {
      await takeProgress('board', { id: 'j', phase: 'download', percent }, 'boot')
      time += 125
    }
    expect(written).toEqual([10, 50, 90, 100])
  })
})
