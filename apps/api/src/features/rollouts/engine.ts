import type { Logger } from 'pino'
import type { Board, BoardsRepository } from './boards.repository.ts'
import { judgeStage, type StageFacts } from './judge-rollout.ts'
import { goneForGoodMs, judgeTarget, settleMs, type BoardSigns, type TargetSigns } from './judge-target.ts'
import type { RolloutDocument } from './rollout.model.ts'
import type { RolloutsRepository } from './rollouts.repository.ts'
import type { FirmwareSender, SendOutcome } from './send-firmware.ts'
import { needsBoard, type SettingsSender } from './send-settings.ts'
import { judgeSendingTime } from './sending-times.ts'
import type { TargetDocument } from './target.model.ts'
import type { StageRow, TargetsRepository } from './targets.repository.ts'

export interface EngineOptions {
  rollouts: RolloutsRepository
  targets: TargetsRepository
  boards: BoardsRepository
  firmware: FirmwareSender
  settings: SettingsSender
  log: Logger
  proveMs: number
  now(): number
  newJobId(): string
  isLinkUp(): boolean
  /** A target has changed: screens are told. */
  tell(rollout: RolloutDocument, target: TargetDocument): void
  /** Steps that look after the rollout as a whole: pauses, boards that come later. */
  lookAfter(rollout: RolloutDocument): Promise<RolloutDocument>
}

/** A board counts as silent in a rollout when it has been gone for this long. */
export const silentMs = 5 * 60_000
const lookedAtOnce = 500
/** A board that is away is woken by its return; this is for a return that nobody heard. */
const awayLookMs = 10 * 60_000

/**
 * Boards that are sent an image together download it, restart and come back together, and whoever taps a switch in that
 * moment waits: a third of them each second keeps as many under way.
 */
const sentInOneLook = ({ kind, atOnce }: RolloutDocument): number =>
  kind === 'firmware' ? Math.ceil(atOnce / 3) : atOnce

/** Drives one rollout that this instance has the lease of. */
export function createEngine(options: EngineOptions) {
  const { rollouts, targets, boards, firmware, settings, now, tell } = options

  /** One look: what became of boards in hand, what can be sent, how the stage stands. */
  async function drive(leased: RolloutDocument, isNewOwner: boolean): Promise<void> {
    let rollout = leased
    const inHand = await targets.findInHand(String(rollout._id))
    const byId = await boardsOf(inHand)
    if (isNewOwner && rollout.kind === 'firmware') await repeatAll(inHand, byId)
    const left: TargetDocument[] = []
    for (const target of inHand) {
      const after = await lookAt(rollout, target, byId.get(String(target.deviceId)))
      if (after !== null) left.push(after)
    }
    rollout = await options.lookAfter(rollout)
    if (rollout.state === 'running') {
      const busy = left.filter((target) => isUnderWay(target, byId.get(String(target.deviceId))))
      await sendMore(rollout, Math.min(rollout.atOnce - busy.length, sentInOneLook(rollout)))
      await advance(rollout)
    } else await endWhenIdle(rollout)
  }

  async function boardsOf(list: readonly TargetDocument[]): Promise<Map<string, Board>> {
    const found = await boards.findByIds(list.map(({ deviceId }) => String(deviceId)))
    return new Map(found.map((board) => [String(board._id), board]))
  }

  const isSilent = (board: Board): boolean =>
    !board.isOnline && now() - (board.onlineChangedAt?.getTime() ?? 0) > silentMs

  /** Counts among those that are sent to at one time; a proving board, or one that fell silent, does not. */
  const isUnderWay = (target: TargetDocument, board: Board | undefined): boolean =>
    target.phase !== 'proving' && board !== undefined && !isSilent(board)

  /** Nobody knows what an instance that died had still sent: the same job is sent again, and boards answer how far they are. */
  async function repeatAll(list: readonly TargetDocument[], byId: ReadonlyMap<string, Board>): Promise<void> {
    for (const target of list) {
      const board = byId.get(String(target.deviceId))
      if (board?.isOnline === true && ['sent', 'download', 'verify', 'install'].includes(target.phase))
        await firmware.sendAgain(target, board, false)
    }
  }

  /** Answers the target as it now stands; null when it has ended. */
  async function lookAt(
    rollout: RolloutDocument,
    target: TargetDocument,
    board: Board | undefined
  ): Promise<TargetDocument | null> {
    if (board === undefined) {
      await changed(rollout, target, { phase: 'skipped' })
      return null
    }
    const verdict = judgeTarget(signsOf(rollout, target), boardSigns(board), now(), options.proveMs)
    if (verdict.kind === 'stay') return target
    if (verdict.kind === 'send-again') {
      const again = await firmware.sendAgain(target, board, verdict.counts)
      if (again !== null && verdict.counts) tell(rollout, again)
      return again ?? target
    }
    const isStep = verdict.phase === 'done' && rollout.kind === 'firmware' && target.version !== rollout.version
    if (isStep) {
      // One step on the way: the rest is a job of its own.
      await changed(rollout, target, {
        phase: 'waiting',
        percent: 0,
        jobId: options.newJobId(),
        sends: 0,
        wait: null,
        tryAt: new Date(now())
      })
      return null
    }
    const isDone = verdict.phase === 'done'
    const after = await changed(rollout, target, {
      phase: verdict.phase,
      error: verdict.error ?? null,
      ...(isDone || verdict.phase === 'proving' ? { percent: 100 } : {}),
      ...(isDone ? { doneAt: new Date(now()) } : {})
    })
    return after?.isOpen === true ? after : null
  }

  async function changed(
    rollout: RolloutDocument,
    target: TargetDocument,
    fields: Partial<Omit<TargetDocument, '_id'>>
  ): Promise<TargetDocument | null> {
    const after = await targets.change(target, { ...fields, changedAt: new Date(now()) })
    if (after !== null) tell(rollout, after)
    return after
  }

  /** Sends to so many boards more, of the stages that have begun. */
  async function sendMore(rollout: RolloutDocument, free: number): Promise<void> {
    if (free <= 0 || !options.isLinkUp()) return
    const lookedAt = new Date(now())
    const waiting = await targets.findWaiting(String(rollout._id), rollout.stage, lookedAt, lookedAtOnce)
    if (waiting.length === 0) return
    const byId = await boardsOf(waiting)
    const away: TargetDocument[] = []
    let slots = free
    for (const target of waiting) {
      if (slots === 0) break
      const board = byId.get(String(target.deviceId))
      if (board === undefined) await changed(rollout, target, { phase: 'skipped' })
      else if (!board.isOnline && mustBeThere(rollout)) away.push(target)
      else {
        const outcome = await trySend(rollout, target, board)
        if (outcome === 'stop') return
        if (outcome !== null && 'sent' in outcome) slots -= 1
      }
    }
    await targets.postpone(
      away.map(({ _id }) => _id),
      { wait: 'offline', tryAt: new Date(now() + awayLookMs), lookedAt }
    )
  }

  const mustBeThere = ({ kind, set }: RolloutDocument): boolean => kind === 'firmware' || needsBoard(set ?? {})

  async function trySend(
    rollout: RolloutDocument,
    target: TargetDocument,
    board: Board
  ): Promise<SendOutcome | 'stop'> {
    const at = now()
    const later = (wait: 'hours' | 'when', lookAgainAt: number): Promise<null> =>
      targets.postpone([target._id], { wait, tryAt: new Date(lookAgainAt), lookedAt: new Date(at) }).then(() => null)
    const cameOnlineAt = board.onlineChangedAt?.getTime() ?? 0
    if (mustBeThere(rollout) && cameOnlineAt > at - settleMs) return later('when', cameOnlineAt + settleMs)
    const stageBegan = rollout.stages[target.stage]?.startedAt ?? rollout.createdAt
    const time = judgeSendingTime(
      { ...rollout, waitsSince: stageBegan.getTime() },
      { zone: board.timezone, hasOutletOn: board.switch.some(Boolean) },
      at
    )
    if (time.kind === 'later') return later(time.why, time.lookAgainAt)
    const others = await targets.findInHandOf([String(target.deviceId)])
    if (others.length > 0) return later('when', at + 10_000)
    // Somebody may have paused it since this look began.
    if ((await rollouts.stateOf(String(rollout._id))) !== 'running') return 'stop'
    const outcome =
      rollout.kind === 'firmware' ? await firmware.send(rollout, target, board) : await settings.send(rollout, target)
    if (outcome === null) return null
    if ('later' in outcome) return later('when', at + 5000)
    tell(rollout, 'sent' in outcome ? outcome.sent : outcome.ended)
    return outcome
  }

  /** Moves on by as many stages as are over. */
  async function advance(rollout: RolloutDocument): Promise<void> {
    const id = String(rollout._id)
    const at = new Date(now())
    const rows = await targets.stageRows(rollout._id)
    const inHand = await targets.findInHand(id)
    const byId = await boardsOf(inHand)
    let current = rollout
    for (;;) {
      const index = current.stage
      const stage = current.stages[index]
      if (stage === undefined) return
      const isLast = index === current.stages.length - 1
      const facts = factsOf(rows, index, (target) => isThere(byId.get(String(target.deviceId))), inHand)
      const openElsewhere = rows
        .filter((row) => row.stage !== index && !['done', 'failed', 'rolled-back', 'skipped'].includes(row.phase))
        .reduce((sum, { count }) => sum + count, 0)
      const verdict = judgeStage(stage, facts, { isLast, openElsewhere, follow: current.follow, now: now() })
      if (verdict.kind === 'wait') {
        if (stage.startedAt !== null && now() - stage.startedAt.getTime() > goneForGoodMs && facts.away > 0)
          await targets.skipWaiting(id, at, { stage: index })
        return
      }
      const next = await rollouts.change(id, ['running'], updateFor(verdict.kind, index, at), current.rev)
      if (next === null || verdict.kind !== 'next') return
      current = next
    }
  }

  /** A board that restarts is gone for a moment, and still there. */
  const isThere = (board: Board | undefined): boolean => board !== undefined && !isSilent(board)

  /** A cancelled rollout ends when nothing of it is in hand any more. */
  async function endWhenIdle(rollout: RolloutDocument): Promise<void> {
    if (rollout.state !== 'cancelled') return
    const id = String(rollout._id)
    if ((await targets.findInHand(id)).length > 0) return
    await targets.skipWaiting(id, new Date(now()))
    await rollouts.change(id, ['cancelled'], { $set: { isActive: false } })
  }

  return { drive }
}
export type Engine = ReturnType<typeof createEngine>

function updateFor(verdict: 'ask' | 'next' | 'end', index: number, at: Date) {
  if (verdict === 'ask') return { $set: { state: 'asking' as const } }
  if (verdict === 'next') return beginNextStage(index, at)
  return { $set: { state: 'done' as const, isActive: false, [`stages.${index}.endedAt`]: at } }
}

export const beginNextStage = (index: number, at: Date) => ({
  $set: { state: 'running', stage: index + 1, [`stages.${index}.endedAt`]: at, [`stages.${index + 1}.startedAt`]: at }
})

const timeOf = (date: Date | null | undefined): number => date?.getTime() ?? 0

function signsOf(rollout: RolloutDocument, target: TargetDocument): TargetSigns {
  return {
    kind: rollout.kind,
    phase: target.phase,
    version: target.version,
    rev: target.rev,
    sends: target.sends,
    sentAt: timeOf(target.sentAt),
    progressAt: timeOf(target.progressAt),
    changedAt: timeOf(target.changedAt),
    bootIdAtSend: target.bootIdAtSend,
    isSingle: rollout.isSingle
  }
}

const boardSigns = (board: Board): BoardSigns => ({
  isOnline: board.isOnline,
  onlineChangedAt: timeOf(board.onlineChangedAt),
  osVersion: board.osVersion,
  osBootId: board.osBootId,
  configConfirmedRev: board.configConfirmedRev
})

/** Sums the rows of one stage; what is in hand is busy only on boards that are there. */
function factsOf(
  rows: readonly StageRow[],
  stage: number,
  isThere: (target: TargetDocument) => boolean,
  inHand: readonly TargetDocument[]
): StageFacts {
  const of = rows.filter((row) => row.stage === stage)
  const sum = (matches: (row: StageRow) => boolean): number =>
    of.filter(matches).reduce((total, { count }) => total + count, 0)
  const mine = inHand.filter((target) => target.stage === stage)
  const busy = mine.filter(isThere).length
  return {
    total: sum(() => true),
    done: sum(({ phase }) => phase === 'done'),
    failed: sum(({ phase }) => phase === 'failed' || phase === 'rolled-back'),
    skipped: sum(({ phase }) => phase === 'skipped'),
    busy,
    waitingOnline: sum(({ phase, wait }) => phase === 'waiting' && wait !== 'offline'),
    away: sum(({ phase, wait }) => phase === 'waiting' && wait === 'offline') + mine.length - busy,
    lastDoneAt: Math.max(0, ...of.map(({ lastDoneAt }) => timeOf(lastDoneAt)))
  }
}
