import type { RolloutRecord, UpdateErrorCode } from '@batti/contracts'
import { conflict } from '../../platform/app-error.ts'
import type { RolloutMaker } from './plan/make-rollouts.ts'
import type { RolloutReader } from './read-rollouts.ts'
import type { PendingRetry, RolloutDocument } from './rollout.model.ts'
import type { RolloutsOptions } from './rollouts.options.ts'
import { planAgainstOthers, takenByOthers, type InAudit } from './plan/store-rollout.ts'
import type { EndedTarget } from './targets/target-retries.ts'

/** The boards that a person asks to be tried again; without fields, all that failed. */
export interface RetryWish {
  reason?: UpdateErrorCode | undefined
  deviceIds?: readonly string[] | undefined
}

/**
 * Queues boards that failed again, in batches of one transaction each: thousands in one would block everybody else while it
 * is committed. The first batch shares the transaction of the audit row, which also notes on the rollout that more follow.
 */
export function createRetries(
  options: Pick<RolloutsOptions, 'rollouts' | 'targets' | 'inTransaction' | 'newJobId' | 'now' | 'wake'>,
  { load, presentOne, findBusy }: Pick<RolloutReader, 'load' | 'presentOne'> & Pick<RolloutMaker, 'findBusy'>
) {
  const { rollouts, targets, now } = options

  /** Returns the next boards that are in no other rollout. `isLast`: none follow. `isNone`: no board failed as asked. */
  async function findNext(id: string, retry: PendingRetry) {
    const busy: string[] = []
    for (let looks = 1; ; looks += 1) {
      const { found, isLast } = await targets.findToRetry(id, retry, busy)
      const ids = found.map(({ deviceId }) => String(deviceId))
      const taken = await findBusy(ids)
      const free = found.filter(({ deviceId }) => !taken.has(String(deviceId)))
      if (free.length > 0 || isLast) return { free, isLast, isNone: looks === 1 && found.length === 0 }
      busy.push(...ids)
    }
  }

  const queue = (boards: readonly EndedTarget[], { id: retryId }: PendingRetry) =>
    targets.queueAgain(boards, { newJobId: options.newJobId, at: new Date(now()), fields: { retryId } })

  /** Queues one more batch. Returns the rollout as it is then: if it was changed meanwhile, nothing was queued. */
  async function continueRetries(rollout: RolloutDocument): Promise<RolloutDocument> {
    const id = String(rollout._id)
    const [retry] = rollout.retries ?? []
    if (retry === undefined) return rollout
    const { free, isLast } = await findNext(id, retry)
    const changed = await options.inTransaction(async () => {
      const update = { $inc: { rev: 1 }, ...(isLast ? { $pop: { retries: -1 as const } } : {}) }
      const held = await rollouts.change(id, ['running', 'asking', 'paused'], update, rollout.rev)
      if (held !== null) await queue(free, retry)
      return held
    })
    return changed ?? load(id)
  }

  /**
   * @throws CONFLICT if other rollouts have all of the boards, or if the rollout has changed meanwhile; a duplicate key if another
   * one has just taken a board.
   */
  async function begin(rollout: RolloutDocument, wish: RetryWish, inAudit: InAudit): Promise<RolloutDocument> {
    const id = String(rollout._id)
    const retry = { id: options.newJobId(), code: wish.reason ?? null, deviceIds: wish.deviceIds ?? null }
    const { free, isLast, isNone } = await findNext(id, retry)
    if (isNone) return rollout
    if (free.length === 0) throw conflict(takenByOthers)
    return inAudit(async () => {
      // A pause since it was read is not ended by somebody who has not seen it.
      const changed = await rollouts.change(id, ['running', rollout.state], {
        $inc: { rev: 1 },
        $set: {
          state: 'running',
          isActive: true,
          paused: null,
          ...(rollout.state === 'running' ? {} : { countedFrom: new Date(now()) }),
          // Its last stage is open again.
          ...(rollout.state === 'done' ? { [`stages.${rollout.stage}.endedAt`]: null } : {})
        },
        ...(isLast ? {} : { $push: { retries: retry } })
      })
      if (changed === null) throw conflict('The rollout has changed meanwhile. Look at it, and try again.')
      await queue(free, retry)
      options.wake()
      return changed
    })
  }

  return {
    continueRetries,
    /** Queues all boards of the wish; if none matches, nothing changes. @throws CONFLICT if other rollouts have all of them. */
    async retryBoards(rollout: RolloutDocument, wish: RetryWish, inAudit: InAudit): Promise<RolloutRecord> {
      await planAgainstOthers(() => begin(rollout, wish, inAudit))
      let current = await load(String(rollout._id))
      while ((current.retries ?? []).length > 0) current = await planAgainstOthers(() => continueRetries(current))
      return presentOne(current)
    }
  }
}
export type Retries = ReturnType<typeof createRetries>
