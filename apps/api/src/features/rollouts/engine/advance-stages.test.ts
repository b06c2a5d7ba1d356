import { dayMs } from '@batti/kit/durations'
import { Types } from 'mongoose'
import { expect, test } from 'vitest'
import type { RolloutDocument } from '../rollout.model.ts'
import type { StageCounts } from '../targets/target-counts.ts'
import { createAdvance, type UpdateUnderWay } from './advance-stages.ts'

const now = Date.parse('2026-11-20T06:00:00Z')
const begun = (daysAgo: number) => ({ holdMinutes: 0, then: 'go', startedAt: new Date(now - daysAgo * dayMs) })
const later = { holdMinutes: 0, then: 'go', startedAt: null }
const none: StageCounts = { done: 0, failed: 0, skipped: 0, waiting: 0, waitingAway: 0, lastDoneAt: null }

/** Advances a rollout in its first stage; returns the changes that it stores, and the stages whose boards are skipped. */
async function advance(
  counts: Partial<StageCounts>[],
  {
    stages = [begun(1), later],
    inProgress = [],
    isChangedMeanwhile = false
  }: { stages?: object[]; inProgress?: UpdateUnderWay[]; isChangedMeanwhile?: boolean } = {}
) {
  const rollout = { _id: new Types.ObjectId(), stage: 0, stages, follow: false, rev: 7 } as unknown as RolloutDocument
  const changes: object[] = []
  const skipped: object[] = []
  const run = createAdvance({
    rollouts: {
      change: async (_id, states, update, rev) => {
        expect([states, rev]).toEqual([['running'], 7])
        if (isChangedMeanwhile) return null
        const fields = (update as { $set: Partial<RolloutDocument> }).$set
        changes.push(fields)
        return { ...rollout, ...fields }
      }
    },
    targets: {
      stageCounts: async (_id, stage) => ({ ...none, ...counts[stage] }),
      countOpen: async () => counts.reduce((sum, { waiting = 0 }) => sum + waiting, 0),
      skipAway: async (_id, at, which) => {
        skipped.push({ at: at.getTime(), ...which })
        for (const stage of which.stages) counts[stage] = { skipped: 1 }
        return which.stages.length
      }
    },
    now: () => now
  })
  await run(rollout, inProgress)
  return { changes, skipped }
}
const nothing = { changes: [], skipped: [] }
const at = new Date(now)

test('a rollout passes all stages that are over, and ends with the last', async () => {
  const { changes } = await advance([{ done: 1, lastDoneAt: at }, {}, {}], { stages: [begun(1), later, later] })
  expect(changes).toEqual([
    { state: 'running', stage: 1, 'stages.0.endedAt': at, 'stages.1.startedAt': at },
    { state: 'running', stage: 2, 'stages.1.endedAt': at, 'stages.2.startedAt': at },
    { state: 'done', isActive: false, 'stages.2.endedAt': at }
  ])
})

test('a rollout that somebody has changed meanwhile goes no further', async () => {
  expect(await advance([{}, {}], { isChangedMeanwhile: true })).toEqual(nothing)
})

test('a stage of skipped boards alone asks a person', async () => {
  expect((await advance([{ skipped: 2 }, {}])).changes).toEqual([{ state: 'asking' }])
})

test('a stage waits for boards that may still come back, as long as none is done', async () => {
  const gone = [{ stage: 0, isThere: false }]
  expect(await advance([{ failed: 1 }, {}], { inProgress: gone })).toEqual(nothing)
  expect(await advance([{ waiting: 1, waitingAway: 1 }, {}])).toEqual(nothing)
  expect(await advance([{ waiting: 1, waitingAway: 1 }, {}], { inProgress: gone })).toEqual(nothing)
  expect((await advance([{ done: 1, lastDoneAt: at }, {}], { inProgress: gone })).changes).toHaveLength(1)
})

test('a stage with a board that is done is held, and waits for boards that are online, not for others', async () => {
  const held = { stages: [{ ...begun(1), holdMinutes: 30 }, later] }
  const doneAgo = (minutes: number) => ({ done: 1, lastDoneAt: new Date(now - minutes * 60_000) })
  expect(await advance([doneAgo(29), {}], held)).toEqual(nothing)
  expect((await advance([doneAgo(30), { waiting: 1 }], held)).changes).toHaveLength(1)
  expect((await advance([{ ...doneAgo(30), waiting: 1, waitingAway: 1 }, { waiting: 1 }], held)).changes).toHaveLength(
    1
  )
  expect(await advance([{ ...doneAgo(30), waiting: 2, waitingAway: 1 }, {}], held)).toEqual(nothing)
})

test('a stage waits for boards that are there, and does not for those of other stages', async () => {
  const done = [{ done: 1, lastDoneAt: at }, { waiting: 1 }]
  expect(await advance(done, { inProgress: [{ stage: 0, isThere: true }] })).toEqual(nothing)
  expect((await advance(done, { inProgress: [{ stage: 1, isThere: true }] })).changes).toHaveLength(1)
})

test('boards that were away for 30 days are skipped, in the stages that began before that', async () => {
  const { changes, skipped } = await advance([{ waiting: 1, waitingAway: 1 }, {}], { stages: [begun(31), later] })
  expect(skipped).toEqual([{ at: now, stages: [0], since: new Date(now - 30 * dayMs) }])
  expect(changes).toEqual([{ state: 'asking' }])
  expect(await advance([{ waiting: 1, waitingAway: 1 }, {}], { stages: [begun(30), later] })).toEqual(nothing)
})
