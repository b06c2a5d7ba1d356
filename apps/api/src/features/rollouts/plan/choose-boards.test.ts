import type { ExcludedReason } from '@batti/contracts'
import { Types } from 'mongoose'
import { describe, expect, it } from 'vitest'
import type { Board } from '../boards.repository.ts'
import { chooseForImage, chooseForSettings, isPinned } from './choose-boards.ts'

const board = (changes: Partial<Board> = {}): Board =>
  ({ _id: new Types.ObjectId(), osVersion: '1.0.0', pinnedVersion: null, ...changes }) as Board
const pinned = (endsAt: Date | null): Pick<Board, 'pinnedVersion'> => ({
  pinnedVersion: { version: '1.0.0', endsAt } as unknown as Board['pinnedVersion']
})
/** Why the one board is left out; nothing when it is chosen. */
function reasonOf(one: Board, rules: { refusal?: ExcludedReason; isReachable?: boolean; isBusy?: boolean } = {}) {
  const image = {
    version: '1.1.0',
    refusalOf: () => rules.refusal ?? null,
    isReachable: () => rules.isReachable ?? true
  }
  const busy = new Set(rules.isBusy === true ? [String(one._id)] : [])
  const { chosen, excluded } = chooseForImage([one], image, { busy, now: 5 })
  expect(chosen).toEqual(excluded.length === 0 ? [one] : [])
  return excluded.map(({ reason }) => reason)[0]
}

describe('a board', () => {
  const rest = { isBusy: true, isReachable: false }
  const newer = { osVersion: '1.1.0', ...pinned(null) }

  it('with an older version is chosen', () => expect(reasonOf(board())).toBeUndefined())

  it.each([
    ['wrong-model', newer, { refusal: 'wrong-model', ...rest }],
    ['up-to-date', newer, { refusal: 'withdrawn', ...rest }],
    ['up-to-date', { osVersion: '1.2.0' }, {}],
    ['withdrawn', pinned(null), { refusal: 'withdrawn', ...rest }],
    ['pinned', pinned(null), rest],
    ['busy', {}, rest],
    ['needs-step', {}, { isReachable: false }]
  ] as [ExcludedReason, Partial<Board>, Parameters<typeof reasonOf>[1]][])(
    'is left out as %s before any lesser reason',
    (reason, changes, rules) => expect(reasonOf(board(changes), rules)).toBe(reason)
  )

  it('is pinned for good, or until that ends', () => {
    expect([null, new Date(6), new Date(5)].map((endsAt) => isPinned(pinned(endsAt), 5))).toEqual([true, true, false])
    expect(isPinned(board(), 5)).toBe(false)
    expect(isPinned({} as Board, 5)).toBe(false)
  })
})

it('boards that are left out are counted by reason, for settings only the busy ones', () => {
  const all = [board(), board({ osVersion: '1.1.0' }), board({ osVersion: '1.1.0' }), board(pinned(null))]
  const image = { version: '1.1.0', refusalOf: () => null, isReachable: () => true }
  expect(chooseForImage(all, image, { busy: new Set(), now: 0 })).toEqual({
    chosen: all.slice(0, 1),
    excluded: expect.arrayContaining([
      { reason: 'up-to-date', count: 2 },
      { reason: 'pinned', count: 1 }
    ])
  })
  expect(chooseForSettings(all, new Set([String(all[0]?._id)]))).toEqual({
    chosen: all.slice(1),
    excluded: [{ reason: 'busy', count: 1 }]
  })
})
