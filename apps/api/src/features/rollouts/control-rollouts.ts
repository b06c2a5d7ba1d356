import { compareVersions, type RolloutRecord, type RolloutStageInput } from '@batti/contracts'
import { AppError, conflict, forbidden } from '../../platform/app-error.ts'
import { beginNextStage } from './engine/advance-stages.ts'
import { isPinned } from './plan/choose-boards.ts'
import type { RolloutMaker } from './plan/make-rollouts.ts'
import type { RolloutReader } from './read-rollouts.ts'
import type { RolloutDocument } from './rollout.model.ts'
import type { RolloutsOptions } from './rollouts.options.ts'
import type { Retries, RetryWish } from './retries.ts'
import { planAgainstOthers, type InAudit } from './plan/store-rollout.ts'

const cancelled = { state: 'cancelled', paused: null, retries: [] } as const

/** What people do with an existing rollout: pause, resume, retry, roll forward, cancel. */
export function createRolloutControl(
  options: RolloutsOptions,
  { load, presentOne }: Pick<RolloutReader, 'load' | 'presentOne'>,
  { makeFirmware, retryBoards }: Pick<RolloutMaker, 'makeFirmware'> & Pick<Retries, 'retryBoards'>
) {
  const { rollouts, targets, boards, now } = options

  async function changeState(
    rollout: RolloutDocument,
    wanted: 'running' | 'paused' | 'cancelled',
    userId: string
  ): Promise<RolloutDocument | null> {
    const id = String(rollout._id)
    const at = new Date(now())
    if (wanted === 'paused') {
      const tally = await targets.tally(id, rollout.countedFrom)
      const paused = { by: 'staff', at, ...tally, limit: rollout.maxFailurePercent }
      return rollouts.change(id, ['running', 'asking'], { $set: { state: 'paused', paused } })
    }
    if (wanted === 'cancelled') {
      // The engine releases its boards, because there may be more than one call has time for.
      return rollouts.change(id, ['waiting-approval', 'running', 'asking', 'paused'], {
        $set: cancelled
      })
    }
    if (rollout.state === 'waiting-approval' && String(rollout.createdBy) === userId)
      throw forbidden('Another admin must start what you have made.')
    if (['waiting-approval', 'asking', 'paused'].includes(rollout.state)) await checkImage(rollout)
    if (rollout.state === 'waiting-approval') {
      return rollouts.change(id, ['waiting-approval'], {
        $set: { state: 'running', countedFrom: at, 'stages.0.startedAt': at }
      })
    }
    // Answering the question starts the next stage.
    if (rollout.state === 'asking') return rollouts.change(id, ['asking'], beginNextStage(rollout.stage, at))
    return rollouts.change(id, ['paused'], { $set: { state: 'running', paused: null, countedFrom: at } })
  }

  /** @throws CONFLICT if its image may not be sent, or not to all boards that wait: the rollout would only pause again. */
  async function checkImage({ _id, fileName, fileId }: RolloutDocument): Promise<void> {
    if (fileName === null) return
    const image = await options.findImage(fileName).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null
      throw error
    })
    // A new file may have the name of a deleted one.
    if (image === null || image.id !== String(fileId))
      throw conflict(`The file ${fileName} of this rollout was deleted.`)
    if (image.blockedBy !== null) throw conflict(image.blockedBy)
    const waiting = await boards.findByIds(await targets.waitingIds(String(_id)))
    const isBlocked = waiting.some(
      (board) =>
        compareVersions(board.osVersion, image.version) < 0 && !isPinned(board, now()) && image.isStepWithdrawn(board)
    )
    if (isBlocked)
      throw conflict(`Boards of this rollout need a version on the way to ${image.version} that is withdrawn.`)
  }

  return {
    /** PATCH /rollouts/{id}; idempotent. @throws CONFLICT for an impossible transition, and for an image that may not be sent. */
    async update(id: string, wanted: 'running' | 'paused' | 'cancelled', userId: string): Promise<RolloutRecord> {
      const rollout = await load(id)
      if (rollout.state === wanted) return presentOne(rollout)
      const changed = await changeState(rollout, wanted, userId)
      if (changed === null) {
        const { state } = await load(id)
        if (state === wanted) return presentOne(await load(id))
        throw conflict(`A rollout that is ${state} cannot become ${wanted}.`)
      }
      options.wake()
      return presentOne(changed)
    },

    /**
     * POST /rollouts/{id}/retry: queues failed and rolled-back boards again with a new job, unless another rollout has them. If
     * none matches, nothing changes. @throws CONFLICT if other rollouts have all of them, and for an image that may not be sent.
     */
    async retry(id: string, wish: RetryWish, inAudit: InAudit): Promise<RolloutRecord> {
      const rollout = await load(id)
      if (rollout.state === 'cancelled') throw conflict('A cancelled rollout cannot be tried again. Start a new one.')
      await checkImage(rollout)
      return retryBoards(rollout, wish, inAudit)
    },

    /** POST /rollouts/{id}/roll-forward: ends this rollout, and sends a higher version to every board that it updated. */
    rollForward: (id: string, fileName: string, { userId, inAudit }: { userId: string; inAudit: InAudit }) =>
      planAgainstOthers(async (): Promise<RolloutRecord> => {
        const rollout = await load(id)
        if (rollout.kind !== 'firmware') throw conflict('Only a rollout of firmware can be rolled forward.')
        const image = await options.findImage(fileName)
        if (image.blockedBy !== null) throw conflict(image.blockedBy)
        const deviceIds = await targets.updatedIds(id)
        if (deviceIds.length === 0) throw conflict('This rollout has not updated any board.')
        if (!image.isAbove(rollout.version ?? ''))
          throw conflict(
            `Version ${image.version} is not above ${rollout.version}. Sign the image anew under a higher number.`
          )
        const { maxFailurePercent, atOnce, allowedHours, updateWhen } = rollout
        const stages: RolloutStageInput[] = [{ percent: 100, then: 'go' }]
        const made = await makeFirmware(
          { fileName, target: { deviceIds }, stages, maxFailurePercent, atOnce, allowedHours, updateWhen },
          { image, userId, ends: rollout },
          (store) =>
            inAudit(async () => {
              await rollouts.change(id, ['waiting-approval', 'running', 'asking', 'paused', 'done'], {
                $set: cancelled
              })
              // Its boards are released first, because a board is in one rollout only.
              await targets.endProving(id, new Date(now()))
              const stored = await store()
              return { _id: String(stored._id), stored }
            })
        )
        return presentOne(made.stored)
      })
  }
}
