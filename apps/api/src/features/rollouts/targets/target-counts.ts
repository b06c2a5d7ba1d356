import { updatePhases, type PhaseCounts, type UpdateErrorCode, type UpdatePhase } from '@batti/contracts'
import type { Model, QueryFilter, Types } from 'mongoose'
import { finalPhases } from './judge-target.ts'
import type { TargetDocument } from './target.model.ts'

type RolloutId = string | Types.ObjectId

/** Counts of boards of one stage that are not in progress. */
export interface StageCounts {
  done: number
  /** Ended without success: failed or rolled back. */
  failed: number
  skipped: number
  waiting: number
  /** Of the waiting boards, those that are offline. */
  waitingAway: number
  /** When the last of its boards was proved; null for none. */
  lastDoneAt: Date | null
}

/** Returns how many boards ended without success. */
export const failedOf = (counts: PhaseCounts = {}): number => (counts.failed ?? 0) + (counts['rolled-back'] ?? 0)

/** Waiting boards of a cancelled rollout count as skipped, even before that is stored. */
export function countsOfCancelled({ waiting = 0, skipped = 0, ...counts }: PhaseCounts): PhaseCounts {
  return waiting + skipped === 0 ? counts : { ...counts, skipped: waiting + skipped }
}
/** Returns the stored phases that match the shown phases of a cancelled rollout. */
export const phasesOfCancelled = (shown: readonly UpdatePhase[]): UpdatePhase[] =>
  shown.flatMap((phase) => (phase === 'waiting' ? [] : phase === 'skipped' ? ['skipped', 'waiting'] : [phase]))

export const openPhases = updatePhases.filter((phase) => !finalPhases.some((final) => final === phase))

const sumOf = (counted: readonly (readonly [UpdatePhase, number])[]): number =>
  counted.reduce((sum, [, boards]) => sum + boards, 0)

/** Boards that move all the time must not keep an answer waiting. */
const countTries = 4

/**
 * Counts the boards of a rollout. Requested every second while it runs, and by each page that shows it, so every count
 * uses an index alone.
 */
export function createTargetCounts(model: Model<TargetDocument>) {
  const count = (condition: QueryFilter<TargetDocument>): Promise<number> => model.countDocuments(condition)

  const byPhase = (rolloutId: RolloutId, phases: readonly UpdatePhase[]) =>
    Promise.all(phases.map(async (phase) => [phase, await count({ rolloutId, phase })] as const))

  /** Each phase has a query of its own: if a board moves from one to another between two of them, all are asked again. */
  async function countsOf(rolloutId: RolloutId): Promise<PhaseCounts> {
    for (let tries = 1; ; tries += 1) {
      const [all, ended] = await Promise.all([count({ rolloutId }), byPhase(rolloutId, finalPhases)])
      // Most rollouts of a list have ended: no board is in another phase.
      const counted = sumOf(ended) === all ? ended : [...ended, ...(await byPhase(rolloutId, openPhases))]
      if (sumOf(counted) !== all && tries < countTries) continue
      return Object.fromEntries(counted.filter(([, boards]) => boards > 0))
    }
  }

  return {
    countsOf,
    async counts(rolloutIds: readonly RolloutId[]): Promise<Map<string, PhaseCounts>> {
      const counted = await Promise.all(rolloutIds.map(async (id) => [String(id), await countsOf(id)] as const))
      return new Map(counted)
    },
    async failures(rolloutIds: readonly Types.ObjectId[]) {
      const rows = await model.aggregate<{ _id: { rollout: Types.ObjectId; code: UpdateErrorCode }; count: number }>([
        { $match: { rolloutId: { $in: [...rolloutIds] }, phase: { $in: ['failed', 'rolled-back'] } } },
        { $group: { _id: { rollout: '$rolloutId', code: '$error.code' }, count: { $sum: 1 } } }
      ])
      return rows.map(({ _id, count: boards }) => ({
        rolloutId: String(_id.rollout),
        code: _id.code,
        count: boards
      }))
    },
    /** Returns how many boards are done, by stage. */
    doneByStage: (rolloutId: RolloutId, stages: number): Promise<number[]> =>
      Promise.all(Array.from({ length: stages }, (_, stage) => count({ rolloutId, phase: 'done', stage }))),

    async stageCounts(rolloutId: RolloutId, stage: number): Promise<StageCounts> {
      const of = (phase: TargetDocument['phase']) => ({ rolloutId, phase, stage })
      const [done, failed, rolledBack, skipped, waiting, waitingAway, last] = await Promise.all([
        count(of('done')),
        count(of('failed')),
        count(of('rolled-back')),
        count(of('skipped')),
        count(of('waiting')),
        count({ ...of('waiting'), wait: 'offline' }),
        model
          .findOne({ ...of('done'), wait: null }, { doneAt: 1 })
          .sort({ doneAt: -1 })
          .lean<Pick<TargetDocument, 'doneAt'>>()
      ])
      return { done, failed: failed + rolledBack, skipped, waiting, waitingAway, lastDoneAt: last?.doneAt ?? null }
    },
    /** Counts the boards of all stages that have not ended. */
    countOpen: (rolloutId: RolloutId): Promise<number> => count({ rolloutId, phase: { $in: openPhases } }),

    /** Counts the boards that were tried, and that failed, since then. */
    async tally(rolloutId: RolloutId, from: Date): Promise<{ tried: number; failed: number }> {
      const [tried, failed] = await Promise.all([
        count({ rolloutId, triedAt: { $gte: from } }),
        count({ rolloutId, phase: { $in: ['failed', 'rolled-back'] }, triedAt: { $gte: from } })
      ])
      return { tried, failed }
    }
  }
}
