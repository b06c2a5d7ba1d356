import { auditSubject } from '../../platform/audit.ts'
import type { BoardsRepository } from './boards.repository.ts'
import { sizeOf } from './plan/plan-stages.ts'
import type { RolloutDocument, StageDocument } from './rollout.model.ts'
import type { RolloutRoutesOptions } from './rollouts.routes.ts'
import type { RolloutsRepository } from './rollouts.repository.ts'
import { failedOf } from './targets/target-counts.ts'
import type { TargetsRepository } from './targets/targets.repository.ts'

/** Returns the name of a rollout in the audit log. */
const labelOf = ({ fileName, set, kind }: Pick<RolloutDocument, 'fileName' | 'set' | 'kind'>): string =>
  fileName ?? (set === null ? kind : `settings: ${Object.keys(set).join(', ')}`)
/** Fields that only the engine sets. */
const engineFields = [
  'isSingle',
  'isActive',
  'leaseBy',
  'leaseUntil',
  'countedFrom',
  'watched',
  'base',
  'rev',
  'stage',
  'retries'
]

/** Returns the plan of a stage, without its progress. */
const planOf = ({ holdMinutes, then, ...stage }: StageDocument) => ({ ...sizeOf(stage), holdMinutes, then })

/** Reads rollouts and boards for audit rows; null if absent. */
export function createAuditSubjects(deps: {
  rollouts: Pick<RolloutsRepository, 'findById'>
  targets: Pick<TargetsRepository, 'countsOf' | 'countToRetry'>
  boards: Pick<BoardsRepository, 'findById'>
}): Pick<RolloutRoutesOptions, 'find' | 'findWithFailed' | 'findBoard'> {
  const { rollouts, targets, boards } = deps
  async function load(id: string) {
    const rollout = await rollouts.findById(id)
    return rollout === null ? null : { ...rollout, stages: rollout.stages.map(planOf) }
  }
  async function loadWithFailed(id: string) {
    const rollout = await load(id)
    if (rollout === null) return null
    let failed = failedOf(await targets.countsOf(id))
    // Boards that the rest of a retry will queue are recorded with its first batch.
    for (const retry of rollout.retries ?? []) failed -= await targets.countToRetry(id, retry)
    return { ...rollout, failed }
  }
  return {
    find: auditSubject(load, labelOf, engineFields),
    findWithFailed: auditSubject(loadWithFailed, labelOf, engineFields),
    findBoard: auditSubject(boards.findById, ({ deviceMac }) => deviceMac)
  }
}
