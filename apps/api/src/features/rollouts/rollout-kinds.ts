import { createRecent } from '@batti/kit/recent'
import type { NotifiedRollout } from './rollout.model.ts'
import type { RolloutsRepository } from './rollouts.repository.ts'

const kindsKept = 1000

/** Caches what never changes of a rollout, because boards in progress report often. */
export function createRolloutKinds({ findById }: Pick<RolloutsRepository, 'findById'>) {
  const kinds = createRecent<NotifiedRollout>(kindsKept)

  /** Returns null if there is no such rollout. */
  return async function whatItIs(id: string): Promise<NotifiedRollout | null> {
    const known = kinds.get(id) ?? (await findById(id))
    if (known === null) return null
    kinds.keep(id, { _id: known._id, kind: known.kind, isSingle: known.isSingle })
    return known
  }
}
