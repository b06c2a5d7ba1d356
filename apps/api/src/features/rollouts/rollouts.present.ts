import type { PhaseCounts, RolloutRecord, RolloutTarget, UpdateErrorCode } from '@batti/contracts'
import { sizeOf } from './plan/plan-stages.ts'
import type { RolloutDocument } from './rollout.model.ts'
import { countsOfCancelled } from './targets/target-counts.ts'
import type { TargetDocument } from './targets/target.model.ts'

export interface RolloutFigures {
  counts: PhaseCounts
  /** How many boards are done, by stage. */
  done: readonly number[]
  failures: readonly { code: UpdateErrorCode; count: number }[]
}

/** Errors where a retry is pointless, because board and image stay the same. */
const final: ReadonlySet<UpdateErrorCode> = new Set(['wrong-model', 'older-secure-version', 'signature'])

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

export function presentRollout(rollout: RolloutDocument, figures: RolloutFigures): RolloutRecord {
  const { paused } = rollout
  return {
    _id: String(rollout._id),
    kind: rollout.kind,
    fileName: rollout.fileName,
    version: rollout.version,
    state: rollout.state,
    total: rollout.total,
    counts: rollout.state === 'cancelled' ? countsOfCancelled(figures.counts) : figures.counts,
    stages: rollout.stages.map((stage, index) => ({
      ...sizeOf(stage),
      holdMinutes: stage.holdMinutes,
      then: stage.then,
      total: stage.total,
      done: figures.done[index] ?? 0,
      startedAt: iso(stage.startedAt),
      endedAt: iso(stage.endedAt)
    })),
    maxFailurePercent: rollout.maxFailurePercent,
    atOnce: rollout.atOnce,
    allowedHours: rollout.allowedHours,
    updateWhen: rollout.updateWhen,
    follow: rollout.follow,
    paused: paused === null ? null : { ...paused, at: paused.at.toISOString() },
    failures: figures.failures.map((failure) => ({ ...failure, retryable: !final.has(failure.code) })),
    set: rollout.set,
    createdAt: rollout.createdAt.toISOString(),
    createdBy: rollout.createdBy === null ? null : String(rollout.createdBy)
  }
}

export function presentTarget(target: TargetDocument): RolloutTarget {
  return {
    deviceId: String(target.deviceId),
    deviceMac: target.deviceMac,
    phase: target.phase,
    percent: target.percent,
    error: target.error,
    changedAt: target.changedAt.toISOString()
  }
}
