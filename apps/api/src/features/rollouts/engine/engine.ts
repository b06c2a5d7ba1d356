import { createAdvance } from './advance-stages.ts'
import type { Board, BoardsRepository } from '../boards.repository.ts'
import { createDueCheck } from './due-check.ts'
import { createBoardLook, type BoardLookOptions } from './look-at-boards.ts'
import type { RolloutDocument } from '../rollout.model.ts'
import type { RolloutsRepository } from '../rollouts.repository.ts'
import type { FirmwareSender } from './send-firmware.ts'
import { createSendMore } from './send-more.ts'
import type { SettingsSender } from './send-settings.ts'
import type { TargetDocument } from '../targets/target.model.ts'
import type { TargetsRepository } from '../targets/targets.repository.ts'

export interface EngineOptions extends BoardLookOptions {
  rollouts: RolloutsRepository
  targets: TargetsRepository
  boards: BoardsRepository
  firmware: FirmwareSender
  settings: SettingsSender
  monotonic(): number
  isLinkUp(): boolean
  /** Handles the rollout as a whole: pauses, and boards that join later. */
  superviseRollout(rollout: RolloutDocument): Promise<RolloutDocument>
  /** Pauses a rollout because staff have withdrawn what it would send. */
  pauseWithdrawn(rollout: RolloutDocument): Promise<unknown>
  /** Queues more boards of a retry whose instance has not queued them all yet. */
  continueRetries(rollout: RolloutDocument): Promise<unknown>
}

/** Boards in their proving time are checked this often: there are hundreds when boards finish one after the other. */
const provingLookMs = 5000
/** More often when the proving time is shorter than the usual two minutes. */
const looksAProof = 24
/** Other rollouts get their turn between batches of this size. */
const skippedInOneLook = 5000

/**
 * Limits how many boards are sent an image per second: boards that start together also restart together, and block the commands
 * of people at that moment. Starting a third per second keeps as many updates in progress.
 */
const sentInOneLook = ({ kind, atOnce }: RolloutDocument): number =>
  kind === 'firmware' ? Math.ceil(atOnce / 3) : atOnce

/** Drives one rollout whose lease this instance holds. */
export function createEngine(options: EngineOptions) {
  const { rollouts, targets, boards, firmware, now } = options
  const { lookAtAll, lookAt } = createBoardLook(options)
  const sendMore = createSendMore(options)
  const advance = createAdvance(options)
  const isTimeFor = createDueCheck(options.monotonic)

  /** One pass: checks boards in progress, sends to more, and advances the stage. */
  async function drive(leased: RolloutDocument): Promise<void> {
    const id = String(leased._id)
    const isWhole = isTimeFor('proving', leased, Math.min(provingLookMs, options.proveMs / looksAProof))
    const inProgressTargets = await (isWhole ? targets.findInHand(id) : targets.findUnderWay(id))
    const byId = await boardsOf(inProgressTargets)
    const inProgress = await lookAtAll(leased, inProgressTargets, byId)
    await options.continueRetries(leased)
    const rollout = await options.superviseRollout(leased)
    if (rollout.state !== 'running') return endWhenIdle(rollout)
    const underWay = inProgress.filter(({ phase, isThere }) => phase !== 'proving' && isThere)
    const sent = await sendMore(rollout, Math.min(rollout.atOnce - underWay.length, sentInOneLook(rollout)))
    // Skipped if a board was just sent something, which keeps its stage open, or if some boards were not checked.
    if (isWhole && sent === 0) await advance(rollout, inProgress)
  }

  async function boardsOf(list: readonly TargetDocument[]): Promise<Map<string, Board>> {
    const found = await boards.findByIds(list.map(({ deviceId }) => String(deviceId)))
    return new Map(found.map((board) => [String(board._id), board]))
  }

  /**
   * What a crashed instance had sent is unknown: the same job is sent again, and boards answer with their progress. A cancelled
   * rollout sends nothing any more.
   */
  async function repeatSent({ _id, kind, state }: RolloutDocument): Promise<void> {
    if (kind !== 'firmware' || state === 'cancelled') return
    const sent = (await targets.findUnderWay(String(_id))).filter(({ phase }) => phase !== 'reboot')
    const byId = await boardsOf(sent)
    for (const target of sent) {
      const board = byId.get(String(target.deviceId))
      if (board?.isOnline === true) await firmware.sendAgain(target, board, false)
    }
  }

  /** Ends a cancelled rollout once all waiting boards are skipped and none is in progress. */
  async function endWhenIdle(rollout: RolloutDocument): Promise<void> {
    if (rollout.state !== 'cancelled') return
    const id = String(rollout._id)
    const isIdle = (await targets.findInHand(id)).length === 0
    const skipped = await targets.skipWaiting(id, new Date(now()), skippedInOneLook)
    if (!isIdle || skipped >= skippedInOneLook) return
    await rollouts.change(id, ['cancelled'], { $set: { isActive: false } })
  }

  /** Checks a board between the passes, because it has answered settings that it was sent. */
  async function lookAtAnswered(deviceId: string, refusal: string | null): Promise<void> {
    const answered = await targets.findInHandOf([deviceId])
    if (answered.length === 0) return
    const board = (await boardsOf(answered)).get(deviceId)
    for (const target of answered) {
      const rollout = await rollouts.findById(String(target.rolloutId))
      if (rollout?.kind !== 'settings') continue
      const isRefused = refusal !== null && board !== undefined && concernsSettings(rollout, board)
      const error: TargetDocument['error'] = isRefused ? { code: 'rejected', detail: refusal || null } : null
      const after = isRefused ? await targets.change(target, { error }) : target
      // Without a revision, the settings are just being stored: their sender or the next pass checks the board after that.
      if (after !== null && after.rev !== null) await lookAt(rollout, after, board)
    }
  }

  return { drive, repeatSent, lookAtAnswered }
}
export type Engine = ReturnType<typeof createEngine>

/** A refusal does not say whether it is of settings or of schedules. Both carry the time zone. */
const concernsSettings = ({ set }: RolloutDocument, { schedulesRev, schedulesConfirmedRev }: Board): boolean =>
  set?.timezone !== undefined || schedulesConfirmedRev >= schedulesRev
