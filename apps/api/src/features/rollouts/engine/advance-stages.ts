import { judgeStage, type StageFacts, type StageVerdict } from './judge-rollout.ts'
import { abandonedAfterMs } from '../targets/judge-target.ts'
import type { RolloutDocument, StageDocument } from '../rollout.model.ts'
import type { RolloutsRepository } from '../rollouts.repository.ts'
import type { TargetsRepository } from '../targets/targets.repository.ts'

export interface AdvanceOptions {
  rollouts: Pick<RolloutsRepository, 'change'>
  targets: Pick<TargetsRepository, 'stageCounts' | 'countOpen' | 'skipAway'>
  now(): number
}

/** A board with an update in progress, or in its proving time. */
export interface UpdateUnderWay {
  stage: number
  /** It is online, or has been offline for no longer than a restart takes. */
  isThere: boolean
}

/** Advances a rollout past all finished stages. */
export function createAdvance({ rollouts, targets, now }: AdvanceOptions) {
  async function factsOf(id: string, index: number, inProgress: readonly UpdateUnderWay[]): Promise<StageFacts> {
    const { done, failed, skipped, waiting, waitingAway, lastDoneAt } = await targets.stageCounts(id, index)
    const mine = inProgress.filter(({ stage }) => stage === index)
    const busy = mine.filter(({ isThere }) => isThere).length
    return {
      total: done + failed + skipped + waiting + mine.length,
      done,
      busy,
      waitingOnline: waiting - waitingAway,
      away: waitingAway + mine.length - busy,
      lastDoneAt: lastDoneAt?.getTime() ?? 0
    }
  }

  async function judge(
    rollout: RolloutDocument,
    stage: StageDocument,
    inProgress: readonly UpdateUnderWay[]
  ): Promise<StageVerdict> {
    const index = rollout.stage
    const isLast = index === rollout.stages.length - 1
    // Shortcut: the stage cannot be over, so nothing needs to be counted.
    if (isLast ? inProgress.length > 0 : inProgress.some((update) => update.stage === index && update.isThere))
      return { kind: 'wait' }
    const id = String(rollout._id)
    const facts = await factsOf(id, index, inProgress)
    const openInAll = isLast ? await targets.countOpen(id) : 0
    return judgeStage(stage, facts, { isLast, openInAll, follow: rollout.follow, now: now() })
  }

  /** Skips boards that have not come back in 30 days. Returns whether there were any. */
  async function skipAbandoned({ _id, stage: current, stages }: RolloutDocument): Promise<boolean> {
    const since = new Date(now() - abandonedAfterMs)
    const overdue = stages.flatMap(({ startedAt }, index) =>
      index <= current && startedAt !== null && startedAt < since ? [index] : []
    )
    if (overdue.length === 0) return false
    return (await targets.skipAway(String(_id), new Date(now()), { stages: overdue, since })) > 0
  }

  return async function advance(rollout: RolloutDocument, inProgress: readonly UpdateUnderWay[]): Promise<void> {
    const at = new Date(now())
    let current = rollout
    for (;;) {
      const stage = current.stages[current.stage]
      if (stage === undefined) return
      const verdict = await judge(current, stage, inProgress)
      if (verdict.kind === 'wait') {
        if (await skipAbandoned(current)) continue
        return
      }
      const update = updateFor(verdict.kind, current.stage, at)
      const next = await rollouts.change(String(current._id), ['running'], update, current.rev)
      if (next === null || verdict.kind !== 'next') return
      current = next
    }
  }
}

function updateFor(verdict: 'ask' | 'next' | 'end', index: number, at: Date) {
  if (verdict === 'ask') return { $set: { state: 'asking' as const } }
  if (verdict === 'next') return beginNextStage(index, at)
  return { $set: { state: 'done' as const, isActive: false, [`stages.${index}.endedAt`]: at } }
}

export const beginNextStage = (index: number, at: Date) => ({
  $set: { state: 'running', stage: index + 1, [`stages.${index}.endedAt`]: at, [`stages.${index + 1}.startedAt`]: at }
})
