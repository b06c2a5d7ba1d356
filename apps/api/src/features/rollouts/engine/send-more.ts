import { minuteMs } from '@batti/kit/durations'
import { onlineChangedBefore, type Board, type BoardsRepository } from '../boards.repository.ts'
import { isGone, settleMs, wentSilent } from '../targets/judge-target.ts'
import type { RolloutDocument } from '../rollout.model.ts'
import type { RolloutsRepository } from '../rollouts.repository.ts'
import type { FirmwareSender, SendOutcome } from './send-firmware.ts'
import { needsBoard, type SettingsSender } from './send-settings.ts'
import { judgeSendingTime } from './sending-times.ts'
import type { TargetDocument } from '../targets/target.model.ts'
import type { TargetsRepository } from '../targets/targets.repository.ts'

export interface SendMoreOptions {
  rollouts: Pick<RolloutsRepository, 'stateOf'>
  targets: Pick<TargetsRepository, 'findWaiting' | 'findInHandOf' | 'postpone' | 'change'>
  boards: Pick<BoardsRepository, 'findByIds'>
  firmware: FirmwareSender
  settings: SettingsSender
  now(): number
  isLinkUp(): boolean
  /** Pauses a rollout because staff have withdrawn what it would send. */
  pauseWithdrawn(rollout: RolloutDocument): Promise<unknown>
  /** Notifies screens that a target has changed. */
  notify(rollout: RolloutDocument, target: TargetDocument): void
}

/** Per pass; the rest waits for the next one. */
const lookedAtMost = 500
/** The minimum number of boards read together. */
const readTogether = 20
/** An offline board is woken when it comes back; this covers a missed event. */
const awayLookMs = 10 * minuteMs
/** The first time sooner: an instance that did not know of the rollout yet may just be storing that the board came online. */
const firstAwayLookMs = 5000

/** Boards must be online to be sent something, unless it is only stored. */
export const mustBeOnline = ({ kind, set }: RolloutDocument): boolean => kind === 'firmware' || needsBoard(set ?? {})

/** What a board waits for, and when it is checked again. */
interface Postponed {
  wait: 'offline' | 'hours' | 'when'
  tryAt: number
}

/** The result for one waiting board. `stopped`: the rollout is no longer running. */
type Tried = 'sent' | 'stopped' | 'left' | Postponed

/** Sends to waiting boards in the stages that have begun. */
export function createSendMore(options: SendMoreOptions) {
  const { rollouts, targets, boards, firmware, settings, now, notify } = options

  async function end(
    rollout: RolloutDocument,
    target: TargetDocument,
    fields: Pick<TargetDocument, 'phase'> & Partial<TargetDocument>
  ): Promise<'left'> {
    const ended = await targets.change(target, { ...fields, changedAt: new Date(now()) })
    if (ended !== null) notify(rollout, ended)
    return 'left'
  }

  /** A manual update is not sent weeks after it was asked for. */
  const isTooLate = ({ isSingle }: RolloutDocument, { changedAt }: TargetDocument, board: Board, at: number): boolean =>
    isSingle &&
    isGone(
      { isSingle, changedAt: changedAt.getTime() },
      { isOnline: board.isOnline, onlineChangedAt: onlineChangedBefore(board, at) },
      at
    )

  /** Returns why the board must wait, and when to check again; null if it need not. */
  function whyLater(rollout: RolloutDocument, target: TargetDocument, board: Board, at: number): Postponed | null {
    if (!board.isOnline && mustBeOnline(rollout))
      return { wait: 'offline', tryAt: at + (target.wait === 'offline' ? awayLookMs : firstAwayLookMs) }
    const cameOnlineAt = onlineChangedBefore(board, at)
    if (mustBeOnline(rollout) && cameOnlineAt > at - settleMs) return { wait: 'when', tryAt: cameOnlineAt + settleMs }
    const stageBegan = rollout.stages[target.stage]?.startedAt ?? rollout.createdAt
    const time = judgeSendingTime(
      { ...rollout, waitsSince: stageBegan.getTime() },
      { zone: board.timezone, hasOutletOn: board.switch.some(Boolean) },
      at
    )
    return time.kind === 'later' ? { wait: time.why, tryAt: time.lookAgainAt } : null
  }

  const send = (rollout: RolloutDocument, target: TargetDocument, board: Board): Promise<SendOutcome> =>
    rollout.kind === 'firmware' ? firmware.send(rollout, target, board) : settings.send(rollout, target)

  async function trySend(
    rollout: RolloutDocument,
    target: TargetDocument,
    { board, at }: { board: Board | undefined; at: number }
  ): Promise<Tried> {
    if (board === undefined) return end(rollout, target, { phase: 'skipped' })
    if (isTooLate(rollout, target, board, at)) return end(rollout, target, { phase: 'failed', error: wentSilent })
    const later = whyLater(rollout, target, board, at)
    if (later !== null) return later
    const others = await targets.findInHandOf([String(target.deviceId)])
    if (others.length > 0) return { wait: 'when', tryAt: at + 10_000 }
    // Checked again, because the rollout may have been paused since this pass began.
    if ((await rollouts.stateOf(String(rollout._id))) !== 'running') return 'stopped'
    const outcome = await send(rollout, target, board)
    if (outcome === null) return 'left'
    if (outcome === 'blocked') {
      await options.pauseWithdrawn(rollout)
      return 'stopped'
    }
    if ('later' in outcome) return { wait: 'when', tryAt: at + 5000 }
    notify(rollout, 'sent' in outcome ? outcome.sent : outcome.ended)
    return 'sent' in outcome ? 'sent' : 'left'
  }

  /** Boards that wait for the same are postponed together: many may wait for the same hour. */
  async function postpone(list: readonly (Postponed & Pick<TargetDocument, '_id'>)[], lookedAt: Date): Promise<void> {
    for (const alike of Map.groupBy(list, ({ wait, tryAt }) => `${wait} ${tryAt}`).values()) {
      const [first] = alike
      const ids = alike.map(({ _id }) => _id)
      if (first !== undefined) await targets.postpone(ids, { wait: first.wait, tryAt: new Date(first.tryAt), lookedAt })
    }
  }

  /** Returns how many boards were sent something, and whether there is more to do. */
  async function sendTo(rollout: RolloutDocument, waiting: readonly TargetDocument[], free: number) {
    const lookedAt = new Date(now())
    const found = await boards.findByIds(waiting.map(({ deviceId }) => String(deviceId)))
    const byId = new Map(found.map((board) => [String(board._id), board]))
    const postponed: (Postponed & Pick<TargetDocument, '_id'>)[] = []
    let sent = 0
    let isStopped = false
    for (const target of waiting) {
      if (sent === free || isStopped) break
      const board = byId.get(String(target.deviceId))
      const tried = await trySend(rollout, target, { board, at: lookedAt.getTime() })
      if (tried === 'sent') sent += 1
      if (typeof tried === 'object') postponed.push({ ...tried, _id: target._id })
      isStopped = tried === 'stopped'
    }
    await postpone(postponed, lookedAt)
    return { sent, isStopped }
  }

  /** Sends to up to `free` more boards. Returns how many were sent something. */
  return async function sendMore(rollout: RolloutDocument, free: number): Promise<number> {
    if (free <= 0 || !options.isLinkUp()) return 0
    const together = Math.min(Math.max(free, readTogether), lookedAtMost)
    let sent = 0
    for (let looked = 0; looked < lookedAtMost && sent < free; looked += together) {
      const waiting = await targets.findWaiting(String(rollout._id), rollout.stage, new Date(now()), together)
      const done = await sendTo(rollout, waiting, free - sent)
      sent += done.sent
      if (done.isStopped || waiting.length < together) break
    }
    return sent
  }
}
