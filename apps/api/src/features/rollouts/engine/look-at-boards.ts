import { minuteMs } from '@batti/kit/durations'
import { onlineChangedBefore, type Board } from '../boards.repository.ts'
import type { RolloutDocument } from '../rollout.model.ts'
import {
  beforeInstall,
  judgeTarget,
  type BoardSigns,
  type TargetSigns,
  type TargetVerdict
} from '../targets/judge-target.ts'
import type { TargetDocument } from '../targets/target.model.ts'
import type { TargetsRepository } from '../targets/targets.repository.ts'
import type { FirmwareSender } from './send-firmware.ts'
import type { SettingsSender } from './send-settings.ts'

export interface BoardLookOptions {
  targets: Pick<TargetsRepository, 'change'>
  firmware: Pick<FirmwareSender, 'sendAgain'>
  settings: Pick<SettingsSender, 'noteReturn'>
  proveMs: number
  now(): number
  newJobId(): string
  /** Notifies screens that a target has changed. */
  notify(rollout: RolloutDocument, target: TargetDocument): void
}

/** A board counts as silent in a rollout after being offline for this long. */
export const silentMs = 5 * minuteMs

/** Checks the boards that a rollout has in progress, and stores what has become of each. */
export function createBoardLook(options: BoardLookOptions) {
  const { targets, firmware, settings, now, notify } = options

  /** A restarting board is offline for a moment, but still counts as present. */
  const isThere = (board: Board | undefined): boolean =>
    board !== undefined && (board.isOnline || now() - onlineChangedBefore(board, now()) <= silentMs)

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
        return isCancelledUpdate(rollout) && beforeInstall.has(target.phase) && !isThere(board)
          ? changed(rollout, target, { phase: 'skipped' })
          : target
      case 'send-again':
        return sendAgain(rollout, target, board, verdict.counts)
      case 'move': {
        const isStep = verdict.phase === 'done' && rollout.kind === 'firmware' && target.version !== rollout.version
        return isStep ? goOnWaiting(rollout, target) : move(rollout, target, verdict)
      }
    }
  }

  const isCancelledUpdate = ({ kind, state }: RolloutDocument): boolean => kind === 'firmware' && state === 'cancelled'

  /** A cancelled rollout releases a board that has lost its job, or may never have got it. */
  async function sendAgain(
    rollout: RolloutDocument,
    target: TargetDocument,
    board: Board,
    counts: boolean
  ): Promise<TargetDocument | null> {
    const isLost = counts || target.phase === 'sent'
    if (isCancelledUpdate(rollout) && isLost) return changed(rollout, target, { phase: 'skipped' })
    const again =
      rollout.kind === 'settings' ? await settings.noteReturn(target) : await firmware.sendAgain(target, board, counts)
    if (again !== null && counts) notify(rollout, again)
    return again?.isOpen === false ? null : (again ?? target)
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

  return { lookAtAll, lookAt }
}

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
  bootId: board.bootId,
  osBootId: board.osBootId,
  conn: board.conn,
  configConfirmedRev: board.configConfirmedRev
})
