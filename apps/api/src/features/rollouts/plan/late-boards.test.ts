import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import type { Board } from '../boards.repository.ts'
import { createAddLateBoards } from './late-boards.ts'
import type { RolloutDocument } from '../rollout.model.ts'
import type { TargetDocument } from '../targets/target.model.ts'

type Options = Parameters<typeof createAddLateBoards>[0]

const board = (deviceMac: string, changes: Partial<Board> = {}): Board =>
  ({
    _id: new Types.ObjectId(),
    deviceMac,
    osVersion: '1.0.0',
    pinnedVersion: null,
    isOnline: true,
    ...changes
  }) as Board
const targetOf = ({ _id }: Board, changes: Partial<TargetDocument>): TargetDocument =>
  ({
    _id: `target of ${String(_id)}`,
    deviceId: _id,
    phase: 'skipped',
    stage: 0,
    ...changes
  }) as unknown as TargetDocument

/** A write of the database takes until then at least. */
const nextTurn = () => new Promise((resolve) => void setImmediate(resolve))

/** Lets a rollout of three stages look for late boards; `state` is what the rollout is by then. */
async function addLateBoards(
  pages: readonly Board[][],
  {
    known = [],
    state = 'running',
    busy = [],
    hasImage = true,
    ...fields
  }: {
    known?: TargetDocument[]
    state?: RolloutDocument['state']
    busy?: Board[]
    hasImage?: boolean
  } & Partial<RolloutDocument> = {}
) {
  const rollout = {
    _id: new Types.ObjectId(),
    filter: {},
    fileName: 'a.bin',
    stages: [{ total: 1 }, { total: 2 }, { total: 3 }],
    ...fields
  } as unknown as RolloutDocument
  const did = { inserted: [] as unknown[], counted: [] as unknown[], changed: [] as unknown[], transactions: 0 }
  let job = 0
  const options = {
    now: () => 5,
    newJobId: () => `job ${++job}`,
    boards: {
      async *pagesOf(filter: unknown) {
        expect(filter).toBe(rollout.filter)
        yield* pages
      }
    },
    findImage: async (name: string) => {
      expect(name).toBe('a.bin')
      if (!hasImage) throw new Error('no such image')
      return { version: '1.1.0', refusalOf: () => null, isReachable: () => true }
    },
    inTransaction: async (work: () => Promise<void>) => {
      did.transactions += 1
      await work()
    },
    targets: {
      findOf: async (_id: string, ids: readonly string[]) =>
        known.filter(({ deviceId }) => ids.includes(String(deviceId))),
      insert: async (id: string, rows: readonly object[], newJobId: () => string, at: Date) => {
        await nextTurn()
        expect({ id, at }).toEqual({ id: String(rollout._id), at: new Date(5) })
        did.inserted.push(...rows.map((row) => ({ ...row, jobId: newJobId() })))
      },
      queueAgain: async (ended: readonly TargetDocument[], { newJobId, ...change }: { newJobId(): string }) => {
        await nextTurn()
        did.changed.push(...ended.map(({ _id }) => [_id, { ...change, jobId: newJobId() }]))
      }
    },
    rollouts: {
      async change(id: string, states: readonly string[], update: { $inc: unknown }) {
        expect(id).toBe(String(rollout._id))
        if (!states.includes(state)) return null
        did.counted.push(update.$inc)
        return rollout
      }
    }
  } as unknown as Options
  await createAddLateBoards(options, { busyOf: async () => new Set(busy.map(({ _id }) => String(_id))) })(rollout)
  return did
}
const nothing = { inserted: [], counted: [], changed: [], transactions: 0 }

test('a board that is found late joins the last stage, and is counted', async () => {
  const late = board('AABBCCDDEEFF')
  expect(await addLateBoards([[late]])).toEqual({
    inserted: [
      { deviceId: String(late._id), deviceMac: 'AABBCCDDEEFF', stage: 2, isSingle: false, jobId: expect.anything() }
    ],
    counted: [{ rev: 1, total: 1, 'stages.2.total': 1 }],
    changed: [],
    transactions: 1
  })
})

test('a board does not join a rollout that was paused meanwhile', async () => {
  expect(await addLateBoards([[board('AABBCCDDEEFF')]], { state: 'paused' })).toEqual({ ...nothing, transactions: 1 })
})

test('none joins a rollout of chosen boards, or one that sends no image', async () => {
  expect(await addLateBoards([[board('AABBCCDDEEFF')]], { filter: null })).toEqual(nothing)
  expect(await addLateBoards([[board('AABBCCDDEEFF')]], { fileName: null })).toEqual(nothing)
})

test('a board that is in the rollout stays as it is, unless it was skipped and is back', async () => {
  const [waiting, stillAway, back, backInLast, fresh] = [
    board('AA0000000001'),
    board('AA0000000002', { isOnline: false }),
    board('AA0000000003'),
    board('AA0000000004'),
    board('AA0000000005', { isOnline: false })
  ] as const
  const known = [
    targetOf(waiting, { phase: 'waiting' }),
    targetOf(stillAway, {}),
    targetOf(back, { stage: 1 }),
    targetOf(backInLast, { stage: 2 })
  ]
  const did = await addLateBoards(
    [
      [waiting, stillAway, back],
      [backInLast, fresh]
    ],
    { known }
  )
  expect(did.inserted).toEqual([expect.objectContaining({ deviceMac: fresh.deviceMac, stage: 2 })])
  expect(did.changed).toEqual(
    [back, backInLast].map(({ _id }) => [
      `target of ${String(_id)}`,
      { at: new Date(5), fields: { stage: 2 }, jobId: expect.stringContaining('job') }
    ])
  )
  expect(did.counted).toEqual([{ rev: 1, total: 1, 'stages.1.total': -1, 'stages.2.total': 2 }])
})

test('a board that another rollout has, that has the image or that is pinned does not join', async () => {
  const [busy, newer] = [board('AA0000000001'), board('AA0000000002', { osVersion: '1.1.0' })]
  expect(await addLateBoards([[busy]], { busy: [busy] })).toEqual({ ...nothing, transactions: 1 })
  expect(await addLateBoards([[newer]])).toEqual(nothing)
  const pinnedUntil = (ms: number) =>
    board('AA0000000003', { pinnedVersion: { version: '1.0.0', endsAt: new Date(ms) } as Board['pinnedVersion'] })
  expect(await addLateBoards([[pinnedUntil(6)]])).toEqual(nothing)
  expect((await addLateBoards([[pinnedUntil(5)]])).inserted).toHaveLength(1)
})

test('a rollout that no board comes late to does without its image, and any other does not', async () => {
  expect(await addLateBoards([[]], { hasImage: false })).toEqual(nothing)
  await expect(addLateBoards([[board('AA0000000001')]], { hasImage: false })).rejects.toThrow('no such image')
})
