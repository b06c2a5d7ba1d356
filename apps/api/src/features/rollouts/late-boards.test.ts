import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import { createAddLateBoards } from './late-boards.ts'
import type { RolloutDocument } from './rollout.model.ts'

type Options = Parameters<typeof createAddLateBoards>[0]

/** One board that the filter of a rollout finds late; `state` is the rollout's state by then. */
async function addLateBoard(state: RolloutDocument['state']) {
  const rollout = {
    _id: new Types.ObjectId(),
    filter: {},
    fileName: 'a.bin',
    stages: [{ total: 1 }, { total: 2 }]
  } as unknown as RolloutDocument
  const board = { _id: new Types.ObjectId(), deviceMac: 'AABBCCDDEEFF', osVersion: '1.0.0', pinnedVersion: null }
  const inserted: unknown[] = []
  const counted: unknown[] = []
  const options = {
    now: () => 0,
    boards: {
      async *pagesOf() {
        yield [board]
      }
    },
    findImage: async () => ({ version: '1.1.0', refusalOf: () => null, isReachable: () => true }),
    inTransaction: (work: () => Promise<void>) => work(),
    targets: {
      findOf: async () => [],
      insert: async (_id: string, rows: readonly unknown[]) => void inserted.push(...rows)
    },
    rollouts: {
      async change(_id: string, states: readonly string[], update: { $inc: unknown }) {
        if (!states.includes(state)) return null
        counted.push(update.$inc)
        return rollout
      }
    }
  } as unknown as Options
  await createAddLateBoards(options, { busyOf: async () => new Set() })(rollout)
  return { inserted, counted }
}

test('a board that is found late joins the last stage, and is counted', async () => {
  const { inserted, counted } = await addLateBoard('running')
  expect(inserted).toEqual([expect.objectContaining({ deviceMac: 'AABBCCDDEEFF', stage: 1 })])
  expect(counted).toEqual([{ rev: 1, total: 1, 'stages.1.total': 1 }])
})

test('a board does not join a rollout that was paused meanwhile', async () => {
  expect(await addLateBoard('paused')).toEqual({ inserted: [], counted: [] })
})
