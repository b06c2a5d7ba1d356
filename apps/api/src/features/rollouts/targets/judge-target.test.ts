import type { UpdateError } from '@batti/contracts'
import { describe, expect, test } from 'vitest'
import { judgeTarget, type BoardSigns, type TargetSigns } from './judge-target.ts'

const now = 10_000_000_000
const minute = 60_000
const target: TargetSigns = {
  kind: 'firmware',
  phase: 'download',
  version: '2.0.0',
  rev: null,
  sends: 1,
  resends: 0,
  sentAt: now - minute,
  progressAt: now - 1000,
  changedAt: now - 1000,
  bootIdAtSend: 'boot-1',
  connAtSend: 3,
  isSingle: false,
  error: null
}
const board: BoardSigns = {
  isOnline: true,
  onlineChangedAt: now - 60 * minute,
  bootId: 'boot-1',
  osVersion: '1.0.0',
  osBootId: 'boot-1',
  conn: 3,
  configConfirmedRev: 4
}

describe('a board that was sent an image', () => {
  test.each<[string, Partial<TargetSigns>, Partial<BoardSigns>, object]>([
    ['is left alone while it works', {}, {}, { kind: 'stay' }],
    ['is left alone while it is gone for a moment', {}, { isOnline: false }, { kind: 'stay' }],
    [
      'gets the same job again when its connection is new',
      {},
      { onlineChangedAt: now - 2000 },
      { kind: 'send-again', counts: false }
    ],
    [
      'gets it again when it connected anew before anybody had missed it',
      { phase: 'sent' },
      { conn: 4 },
      { kind: 'send-again', counts: false }
    ],
    [
      'gets it again however often it connected anew, as long as it makes progress',
      { resends: 9 },
      { conn: 4 },
      { kind: 'send-again', counts: false }
    ],
    [
      'gets it again three times without progress, however long that takes',
      { resends: 3, progressAt: now - 60 * minute, changedAt: now - 60 * minute },
      { conn: 4 },
      { kind: 'send-again', counts: false }
    ],
    [
      'fails when it connects anew after four of them, and 15 minutes without progress',
      { resends: 4, progressAt: now - 16 * minute, changedAt: now - 16 * minute },
      { conn: 4 },
      { phase: 'failed', error: { code: 'no-progress' } }
    ],
    ['is left alone where nobody wrote down which connection it had', { connAtSend: null }, {}, { kind: 'stay' }],
    ['is left alone at its restart, whatever its connection', { phase: 'reboot' }, { conn: 4 }, { kind: 'stay' }],
    [
      'gets it again, counted, when its power was gone',
      {},
      { bootId: 'boot-2', osBootId: 'boot-2', onlineChangedAt: now - 2000 },
      { kind: 'send-again', counts: true }
    ],
    [
      'gets it again, counted, when that was before the installation',
      { phase: 'verify' },
      { bootId: 'boot-2', osBootId: 'boot-2' },
      { kind: 'send-again', counts: true }
    ],
    [
      'gets it again, counted, when its status says that its power was gone, and its report is late',
      {},
      { bootId: 'boot-2', onlineChangedAt: now - 2000 },
      { kind: 'send-again', counts: true }
    ],
    ['is not judged by the version of the boot before', { phase: 'reboot' }, { bootId: 'boot-2' }, { kind: 'stay' }],
    [
      'is listened to for a moment after its return',
      { phase: 'reboot' },
      { bootId: 'boot-2', osBootId: 'boot-2', onlineChangedAt: now - 100 },
      { kind: 'stay' }
    ],
    [
      'is not sent the job before its first report can say that its power was gone',
      {},
      { onlineChangedAt: now - 100 },
      { kind: 'stay' }
    ],
    [
      'fails when its power was gone four times',
      { sends: 4 },
      { bootId: 'boot-2', osBootId: 'boot-2' },
      { kind: 'move', phase: 'failed', error: { code: 'power-lost' } }
    ],
    [
      'is proved once it runs the version',
      { phase: 'reboot' },
      { osVersion: '2.0.0', bootId: 'boot-2', osBootId: 'boot-2' },
      { phase: 'proving' }
    ],
    [
      'is proved although its progress was lost',
      { phase: 'sent' },
      { osVersion: '2.0.0', bootId: 'boot-2', osBootId: 'boot-2' },
      { phase: 'proving' }
    ],
    ...(['sent', 'download', 'reboot', 'proving'] as const).map(
      (phase): [string, Partial<TargetSigns>, Partial<BoardSigns>, object] => [
        `is done when it starts with a later version (${phase})`,
        { phase },
        { osVersion: '2.1.0', bootId: 'boot-2', osBootId: 'boot-2' },
        { kind: 'move', phase: 'done' }
      ]
    ),
    [
      'is sent what a person chose, although it starts with a later version',
      { isSingle: true },
      { osVersion: '2.1.0', bootId: 'boot-2', osBootId: 'boot-2' },
      { kind: 'send-again', counts: true }
    ],
    [
      'is rolled back when it starts with the old version after its restart',
      { phase: 'reboot' },
      { bootId: 'boot-2', osBootId: 'boot-2' },
      { phase: 'rolled-back', error: { code: 'boot-failed' } }
    ],
    [
      'is rolled back when that happens at the installation',
      { phase: 'install' },
      { bootId: 'boot-2', osBootId: 'boot-2' },
      { phase: 'rolled-back' }
    ],
    [
      'fails after 15 minutes without a word',
      { sentAt: now - 20 * minute, progressAt: now - 16 * minute },
      {},
      { phase: 'failed', error: { code: 'no-progress', detail: 'It made no progress for 15 minutes.' } }
    ],
    [
      'is given 15 minutes from its return',
      { phase: 'install', sentAt: now - 60 * minute, progressAt: now - 50 * minute },
      { onlineChangedAt: now - 10 * minute },
      { kind: 'stay' }
    ],
    [
      'is not failed for silence while it is gone',
      { progressAt: now - 16 * minute },
      { isOnline: false, onlineChangedAt: now - 16 * minute },
      { kind: 'stay' }
    ],
    [
      'is skipped after 30 days away',
      { changedAt: now - 31 * 86_400_000 },
      { isOnline: false, onlineChangedAt: now - 31 * 86_400_000 },
      { phase: 'skipped' }
    ],
    [
      'is waited for where it is not updated by hand, for weeks',
      { changedAt: now - 29 * 86_400_000 },
      { isOnline: false, onlineChangedAt: now - 29 * 86_400_000 },
      { kind: 'stay' }
    ],
    [
      'is waited for from when something of it was last heard, though it went before',
      { changedAt: now - minute },
      { isOnline: false, onlineChangedAt: now - 31 * 86_400_000 },
      { kind: 'stay' }
    ],
    [
      'is not gone while it is online, however long that lasts',
      { progressAt: now - minute, changedAt: now - 31 * 86_400_000 },
      { onlineChangedAt: now - 31 * 86_400_000 },
      { kind: 'stay' }
    ],
    [
      'is waited for within the hour where it is updated by hand',
      { isSingle: true, changedAt: now - 59 * minute },
      { isOnline: false, onlineChangedAt: now - 59 * minute },
      { kind: 'stay' }
    ],
    [
      'is listened to for a second and a half',
      { phase: 'reboot' },
      { bootId: 'boot-2', osBootId: 'boot-2', onlineChangedAt: now - 1400 },
      { kind: 'stay' }
    ],
    [
      'is judged though it is gone again, where it came back with another boot',
      { phase: 'reboot' },
      { isOnline: false, bootId: 'boot-2', osBootId: 'boot-2', onlineChangedAt: now - 100 },
      { phase: 'rolled-back' }
    ],
    [
      'is sent nothing while it is gone, also where its connection was new',
      {},
      { isOnline: false, onlineChangedAt: now - 100 },
      { kind: 'stay' }
    ],
    [
      'went silent where that was after its restart',
      { phase: 'proving', changedAt: now - 31 * 86_400_000 },
      { isOnline: false, onlineChangedAt: now - 31 * 86_400_000 },
      { phase: 'failed', error: { code: 'went-silent' } }
    ],
    [
      'went silent after an hour where it is updated by hand',
      { isSingle: true, changedAt: now - 61 * minute },
      { isOnline: false, onlineChangedAt: now - 61 * minute },
      { phase: 'failed', error: { code: 'went-silent' } }
    ]
  ])('%s', (_name, targetChange, boardChange, expected) => {
    expect(judgeTarget({ ...target, ...targetChange }, { ...board, ...boardChange }, now, 120_000)).toMatchObject(
      expected
    )
  })
})

describe('a board that runs the new version', () => {
  const proving: TargetSigns = { ...target, phase: 'proving', changedAt: now - 3 * minute }
  const running: BoardSigns = {
    ...board,
    osVersion: '2.0.0',
    bootId: 'boot-2',
    osBootId: 'boot-2',
    onlineChangedAt: now - 3 * minute
  }
  test.each<[string, Partial<BoardSigns>, object]>([
    ['is done after two minutes online', {}, { phase: 'done' }],
    ['is not while it has been back for less', { onlineChangedAt: now - minute }, { kind: 'stay' }],
    ['is not while it is gone', { isOnline: false }, { kind: 'stay' }],
    [
      'is rolled back when it runs the old one again',
      { osVersion: '1.0.0', osBootId: 'boot-3' },
      { phase: 'rolled-back', error: { code: 'boot-failed', detail: 'It runs 1.0.0 again.' } }
    ]
  ])('%s', (_name, change, expected) => {
    expect(judgeTarget(proving, { ...running, ...change }, now, 120_000)).toMatchObject(expected)
  })
})

describe('settings', () => {
  const settings: TargetSigns = { ...target, kind: 'settings', phase: 'sent', version: null, rev: 5, progressAt: 0 }
  const refused: UpdateError = { code: 'rejected', detail: 'unknown zone' }
  test.each<[string, Partial<TargetSigns>, Partial<BoardSigns>, object]>([
    ['wait for their confirmation', {}, {}, { kind: 'stay' }],
    ['are done when the revision is confirmed', {}, { configConfirmedRev: 5 }, { phase: 'done' }],
    ['fail when the board has refused them', { error: refused }, {}, { phase: 'failed', error: refused }],
    [
      'are done when the board confirms them all the same',
      { error: refused },
      { configConfirmedRev: 5 },
      { phase: 'done' }
    ],
    ['wait anew where nobody knows whether they were stored', { rev: null }, {}, { phase: 'waiting' }],
    ['fail after 15 minutes', { sentAt: now - 16 * minute }, {}, { phase: 'failed', error: { code: 'no-progress' } }],
    ['wait for a board that is gone', { sentAt: now - 16 * minute }, { isOnline: false }, { kind: 'stay' }],
    [
      'are sent again when the board is back',
      {},
      { onlineChangedAt: now - 1500 },
      { kind: 'send-again', counts: false }
    ],
    ['are left to the board for a moment after its return', {}, { onlineChangedAt: now - 1400 }, { kind: 'stay' }],
    [
      'fail when it comes back after four of them, and 15 minutes without progress',
      { resends: 4, sentAt: now - 16 * minute, changedAt: now - 16 * minute },
      { onlineChangedAt: now - 2000 },
      { phase: 'failed', error: { code: 'no-progress' } }
    ]
  ])('%s', (_name, targetChange, boardChange, expected) => {
    expect(judgeTarget({ ...settings, ...targetChange }, { ...board, ...boardChange }, now, 0)).toMatchObject(expected)
  })
})
