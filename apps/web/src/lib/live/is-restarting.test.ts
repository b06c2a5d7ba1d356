// @vitest-environment node
import { minuteMs } from '@batti/kit/durations'
import { expect, test } from 'vitest'
import { isRestarting, shownUpdate } from './is-restarting.ts'

const wentAt = 1_800_000_000_000
const gone = { isOnline: false, onlineChangedAt: wentAt, isFresh: true }

test.each([
  ['sent', 0, false],
  ['download', 99, false],
  ['download', 100, true],
  ['verify', 0, true],
  ['install', 0, true],
  ['reboot', 100, true],
  ['proving', 100, false],
  ['failed', 0, false]
] as const)('a board that has gone during %s at %i %% restarts: %s', (phase, percent, restarts) => {
  expect(isRestarting({ phase, percent }, gone, wentAt + minuteMs)).toBe(restarts)
})

test('no longer than five minutes, and only where it is known to have gone', () => {
  const update = { phase: 'reboot', percent: 100 } as const
  expect(isRestarting(update, gone, wentAt + 5 * minuteMs - 1)).toBe(true)
  expect(isRestarting(update, gone, wentAt + 5 * minuteMs)).toBe(false)
  expect(isRestarting(update, { ...gone, isOnline: true }, wentAt)).toBe(false)
  expect(isRestarting(update, { ...gone, onlineChangedAt: null }, wentAt)).toBe(false)
  expect(isRestarting(null, gone, wentAt)).toBe(false)
})

test('an update of a board that has gone restarts or waits; an ended one, or one of a board that may be there, is as told', () => {
  const phaseOf = (phase: 'download' | 'install' | 'done', live = gone) =>
    shownUpdate({ phase, percent: 50 }, live, wentAt).phase
  expect([phaseOf('install'), phaseOf('download'), phaseOf('done')]).toEqual(['reboot', 'waiting', 'done'])
  expect(phaseOf('download', { ...gone, isOnline: true })).toBe('download')
  expect(phaseOf('download', { ...gone, isFresh: false })).toBe('download')
})
