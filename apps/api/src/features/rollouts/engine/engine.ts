import { createAdvance } from './advance-stages.ts'
import { onlineChangedBefore, type Board, type BoardsRepository } from '../boards.repository.ts'
import { judgeTarget, type BoardSigns, type TargetSigns, type TargetVerdict } from '../targets/judge-target.ts'
import { createDueCheck } from './due-check.ts'
import type { RolloutDocument } from '../rollout.model.ts'
import type { RolloutsRepository } from '../rollouts.repository.ts'
import type { FirmwareSender } from './send-firmware.ts'
import { createSendMore } from './send-more.ts'
import type { SettingsSender } from './send-settings.ts'
import type { TargetDocument } from '../targets/target.model.ts'
import type { TargetsRepository } from '../targets/targets.repository.ts'

export interface EngineOptions {
  rollouts: RolloutsRepository
  targets: TargetsRepository
  boards: BoardsRepository
  firmware: FirmwareSender
  settings: SettingsSender
  proveMs: number
  now(): number
  monotonic(): number
  newJobId(): string
  isLinkUp(): boolean
  /** Notifies screens that a target has changed. */
  notify(rollout: RolloutDocument, target: TargetDocument): void
  /** Handles the rollout as a whole: pauses, and boards that join later. */
  superviseRollout(rollout: RolloutDocument): Promise<RolloutDocument>
  /** Queues more boards of a retry whose instance has not queued them all yet. */
  continueRetries(rollout: RolloutDocument): Promise<unknown>
}

/** A board counts as silent in a rollout after being offline for this long. */
export const silentMs = 5 * 60_000
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
  const { rollouts, targets, boards, firmware, now, notify } = options
  const sendMore = createSendMore(options)
  const advance = createAdvance(options)
  const isTimeFor = createDueCheck(options.monotonic)

  /** One pass: checks boards in progress, sends to more, and advances the stage. */
  async function drive(leased: RolloutDocument, isNewOwner: boolean): Promise<void> {
    const id = String(leased._id)
    const isWhole = isTimeFor('proving', leased, Math.min(provingLookMs, options.proveMs / looksAProof)) || isNewOwner
    const inProgressTargets = await (isWhole ? targets.findInHand(id) : targets.findUnderWay(id))
    const byId = await boardsOf(inProgressTargets)
    if (isNewOwner && leased.kind === 'firmware') await repeatAll(inProgressTargets, byId)
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

  /** A restarting board is offline for a moment, but still counts as present. */
  const isThere = (board: Board | undefined): boolean =>
    board !== undefined && (board.isOnline || now() - onlineChangedBefore(board, now()) <= silentMs)

  /** What a crashed instance had sent is unknown: the same job is sent again, and boards answer with their progress. */
  async function repeatAll(list: readonly TargetDocument[], byId: ReadonlyMap<string, Board>): Promise<void> {
    for (const target of list) {
      const board = byId.get(String(target.deviceId))
      if (board?.isOnline === true && ['sent', 'download', 'verify', 'install'].includes(target.phase))
        await firmware.sendAgain(target, board, false)
    }
  }

  /** Checks all boards in progress; returns those that still are. */
  async function lookAtAll(
    rollout: RolloutDocument,
    inProgressTargets: readonly TargetDocument[],
    byId: ReadonlyMap<string, Board>
  ) {
    const inProgress: { stage: number; phase: TargetDocument['phase']; isThere: boolean }[] = []
    for (const target of inProgressTargets) {
      const board = byId.get(String(target.deviceId))
      const after = await lookAt(rollout, target, board)
      if (after !== null) inProgress.push({ stage: after.stage, phase: after.phase, isThere: isThere(board) })
    }
    return inProgress
  }

  /** Returns the updated target; null if nothing is in progress any more. */
  async function lookAt(
    rollout: RolloutDocument,
    target: TargetDocument,
    board: Board | undefined
  ): Promise<TargetDocument | null> {
    if (board === undefined) return changed(rollout, target, { phase: 'skipped' })
    const verdict = judgeTarget(signsOf(rollout, target), boardSigns(board, now()), now(), options.proveMs)
    switch (verdict.kind) {
      case 'stay':
        return target
      case 'send-again':
        return sendAgain(rollout, target, board, verdict.counts)
      case 'move': {
        const isStep = verdict.phase === 'done' && rollout.kind === 'firmware' && target.version !== rollout.version
        return isStep ? goOnWaiting(rollout, target) : move(rollout, target, verdict)
      }
    }
  }

  async function sendAgain(
    rollout: RolloutDocument,
    target: TargetDocument,
    board: Board,
    counts: boolean
  ): Promise<TargetDocument> {
    const again = await firmware.sendAgain(target, board, counts)
    if (again !== null && counts) notify(rollout, again)
    return again ?? target
  }

  /** Queues a board again after an intermediate version: the rest is a job of its own. */
  const goOnWaiting = (rollout: RolloutDocument, target: TargetDocument): Promise<TargetDocument | null> =>
    changed(rollout, target, {
      phase: 'waiting',
      percent: 0,
      jobId: options.newJobId(),
      sends: 0,
      wait: null,
      tryAt: new Date(now())
    })

  function move(
    rollout: RolloutDocument,
    target: TargetDocument,
    { phase, error }: Extract<TargetVerdict, { kind: 'move' }>
  ): Promise<TargetDocument | null> {
    const isDone = phase === 'done'
    return changed(rollout, target, {
      phase,
      error: error ?? null,
      ...(isDone || phase === 'proving' ? { percent: 100 } : {}),
      ...(isDone ? { doneAt: new Date(now()) } : {})
    })
  }

  /** Returns the target while it is still in progress. If its board was faster, the next pass finds the change. */
  async function changed(
    rollout: RolloutDocument,
    target: TargetDocument,
    fields: Partial<Omit<TargetDocument, '_id'>>
  ): Promise<TargetDocument | null> {
    const after = await targets.change(target, { ...fields, changedAt: new Date(now()) })
    if (after === null) return target
    notify(rollout, after)
    return after.isOpen && after.phase !== 'waiting' ? after : null
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

  return { drive, lookAtAnswered }
}
export type Engine = ReturnType<typeof createEngine>

/** A refusal does not say whether it is of settings or of schedules. Both carry the time zone. */
const concernsSettings = ({ set }: RolloutDocument, { schedulesRev, schedulesConfirmedRev }: Board): boolean =>
  set?.timezone !== undefined || schedulesConfirmedRev >= schedulesRev

const timeOf = (date: Date | null | undefined): number => date?.getTime() ?? 0

function signsOf(rollout: RolloutDocument, target: TargetDocument): TargetSigns {
  return {
    kind: rollout.kind,
    phase: target.phase,
    version: target.version,
    rev: target.rev,
    sends: target.sends,
    resends: target.resends ?? 0,
    sentAt: timeOf(target.sentAt),
    progressAt: timeOf(target.progressAt),
    changedAt: timeOf(target.changedAt),
    bootIdAtSend: target.bootIdAtSend,
    connAtSend: target.connAtSend ?? null,
    isSingle: rollout.isSingle,
    error: target.error
  }
}

const boardSigns = (board: Board, now: number): BoardSigns => ({
  isOnline: board.isOnline,
  onlineChangedAt: onlineChangedBefore(board, now),
  osVersion: board.osVersion,
  osBootId: board.osBootId,
  conn: board.conn,
  configConfirmedRev: board.configConfirmedRev
})
