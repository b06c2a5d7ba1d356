import { auditSubject } from '../../platform/audit.ts'
import type { BoardsRepository } from './boards.repository.ts'
import { sizeOf } from './plan-stages.ts'
import type { RolloutDocument, StageDocument } from './rollout.model.ts'
import type { RolloutRoutesOptions } from './rollouts.routes.ts'
import type { RolloutsRepository } from './rollouts.repository.ts'
import { failedOf } from './target-counts.ts'
import type { TargetsRepository } from './targets.repository.ts'

/** What a row of the audit log calls it. */
const labelOf = ({ fileName, set, kind }: Pick<RolloutDocument, 'fileName' | 'set' | 'kind'>): string =>
  fileName ?? (set === null ? kind : `settings: ${Object.keys(set).join(', ')}`)
/** What the engine keeps for itself: no person sets it. */
const engineFields = ['isSingle', 'isActive', 'leaseBy', 'leaseUntil', 'countedFrom', 'watched', 'base', 'rev', 'stage']

/** What somebody wanted of a stage, without how far it is. */
const planOf = ({ holdMinutes, then, ...stage }: StageDocument) => ({ ...sizeOf(stage), holdMinutes, then })

/** Reads rollouts and boards for rows of the audit log; absence is null. */
export function createAuditSubjects(deps: {
  rollouts: Pick<RolloutsRepository, 'findById'>
  targets: Pick<TargetsRepository, 'countsOf'>
  boards: Pick<BoardsRepository, 'findById'>
}): Pick<RolloutRoutesOptions, 'find' | 'findWithFailed' | 'findBoard'> {
  const { rollouts, targets, boards } = deps
  const find = auditSubject(
    async (id) => {
      const rollout = await rollouts.findById(id)
      return rollout === null ? null : { ...rollout, stages: rollout.stages.map(planOf) }
    },
    labelOf,
    engineFields
  )
  return {
    find,
    async findWithFailed(id) {
      const [subject, counts] = [await find(id), await targets.countsOf(id)]
      return subject === null ? null : { ...subject, fields: { ...subject.fields, failed: failedOf(counts) } }
    },
    findBoard: auditSubject(boards.findById, ({ deviceMac }) => deviceMac)
  }
}
