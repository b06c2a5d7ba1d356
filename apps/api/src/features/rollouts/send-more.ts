import type { Board, BoardsRepository } from './boards.repository.ts'
import { settleMs } from './judge-target.ts'
import type { RolloutDocument } from './rollout.model.ts'
import type { RolloutsRepository } from './rollouts.repository.ts'
import type { FirmwareSender, SendOutcome } from './send-firmware.ts'
import { needsBoard, type SettingsSender } from './send-settings.ts'
import { judgeSendingTime } from './sending-times.ts'
import type { TargetDocument } from './target.model.ts'
import type { TargetsRepository } from './targets.repository.ts'

export interface SendMoreOptions {
  rollouts: Pick<RolloutsRepository, 'stateOf'>
  targets: Pick<TargetsRepository, 'findWaiting' | 'findInHandOf' | 'postpone' | 'change'>
  boards: Pick<BoardsRepository, 'findByIds'>
  firmware: FirmwareSender
  settings: SettingsSender
  now(): number
  isLinkUp(): boolean
  /** Notifies screens that a target has changed. */
  notify(rollout: RolloutDocument, target: TargetDocument): void
}

/** Per pass; the rest waits for the next one. */
const lookedAtMost = 500
/** The minimum number of boards read together. */
const readTogether = 20
/** An offline board is woken when it comes back; this covers a missed event. */
const awayLookMs = 10 * 60_000

/** Boards must be online to be sent something, unless it is only stored. */
export const mustBeOnline = ({ kind, set }: RolloutDocument): boolean => kind === 'firmware' || needsBoard(set ?? {})

/** The result for one waiting board. `stopped`: the rollout is no longer running. */
type Tried = 'sent' | 'away' | 'stopped' | 'left'

/** Sends to waiting boards in the stages that have begun. */
export function createSendMore(options: SendMoreOptions) {
  const { rollouts, targets, boards, firmware, settings, now, notify } = options

  async function skip(rollout: RolloutDocument, target: TargetDocument): Promise<void> {
    const skipped = await targets.change(target, { phase: 'skipped', changedAt: new Date(now()) })
    if (skipped !== null) notify(rollout, skipped)
  }

  /** Returns why the board must wait, and when to check again; null if it need not. */
  function whyLater(rollout: RolloutDocument, target: TargetDocument, board: Board) {
    const at = now()
    const cameOnlineAt = board.onlineChangedAt?.getTime() ?? 0
    if (mustBeOnline(rollout) && cameOnlineAt > at - settleMs)
      return { wait: 'when', tryAt: cameOnlineAt + settleMs } as const
    const stageBegan = rollout.stages[target.stage]?.startedAt ?? rollout.createdAt
    const time = judgeSendingTime(
      { ...rollout, waitsSince: stageBegan.getTime() },
      { zone: board.timezone, hasOutletOn: board.switch.some(Boolean) },
      at
    )
    return time.kind === 'later' ? { wait: time.why, tryAt: time.lookAgainAt } : null
  }

  async function postpone(target: TargetDocument, until: { wait: 'hours' | 'when'; tryAt: number }): Promise<'left'> {
    const lookedAt = new Date(now())
    await targets.postpone([target._id], { wait: until.wait, tryAt: new Date(until.tryAt), lookedAt })
    return 'left'
  }

  const send = (rollout: RolloutDocument, target: TargetDocument, board: Board): Promise<SendOutcome> =>
    rollout.kind === 'firmware' ? firmware.send(rollout, target, board) : settings.send(rollout, target)

  async function trySend(rollout: RolloutDocument, target: TargetDocument, board: Board | undefined): Promise<Tried> {
    if (board === undefined) {
      await skip(rollout, target)
      return 'left'
    }
    if (!board.isOnline && mustBeOnline(rollout)) return 'away'
    const later = whyLater(rollout, target, board)
    if (later !== null) return postpone(target, later)
    const others = await targets.findInHandOf([String(target.deviceId)])
    if (others.length > 0) return postpone(target, { wait: 'when', tryAt: now() + 10_000 })
    // Checked again, because the rollout may have been paused since this pass began.
    if ((await rollouts.stateOf(String(rollout._id))) !== 'running') return 'stopped'
    const outcome = await send(rollout, target, board)
    if (outcome === null) return 'left'
    if ('later' in outcome) return postpone(target, { wait: 'when', tryAt: now() + 5000 })
    notify(rollout, 'sent' in outcome ? outcome.sent : outcome.ended)
    return 'sent' in outcome ? 'sent' : 'left'
  }

  /** Returns how many boards were sent something, and whether there is more to do. */
  async function sendTo(rollout: RolloutDocument, waiting: readonly TargetDocument[], free: number) {
    const lookedAt = new Date(now())
    const found = await boards.findByIds(waiting.map(({ deviceId }) => String(deviceId)))
    const byId = new Map(found.map((board) => [String(board._id), board]))
    const away: TargetDocument['_id'][] = []
    let sent = 0
    let isStopped = false
    for (const target of waiting) {
      if (sent === free || isStopped) break
      const tried = await trySend(rollout, target, byId.get(String(target.deviceId)))
      if (tried === 'sent') sent += 1
      if (tried === 'away') away.push(target._id)
      isStopped = tried === 'stopped'
    }
    await targets.postpone(away, { wait: 'offline', tryAt: new Date(now() + awayLookMs), lookedAt })
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
