import { scheduleLateLimitMs } from '@batti/contracts'
import type { LiveDevice } from '../../../boards/registry/live-device.ts'
import type { OccurrenceDocument } from './occurrence.model.ts'

export interface LinkState {
  /** When the link to the broker was last established, in monotonic milliseconds; null while it is down. */
  upSince: number | null
}

export type MissedReason = 'server-down' | 'offline' | 'no-response' | 'refused'

export type Verdict =
  | { kind: 'send' }
  /** The board already has the wanted state: an earlier command has arrived. */
  | { kind: 'done' }
  /** The state of the board is not known yet. */
  | { kind: 'wait' }
  | { kind: 'missed'; reason: MissedReason }
  /** There is nothing left to switch. */
  | { kind: 'skipped' }

/** How long boards have to reconnect after the broker or this process was down. */
const settleMs = 30_000
/** An occurrence that fires later than this is `late`. */
const onTimeMs = 30_000

type Firing = Pick<OccurrenceDocument, 'switchIndex' | 'dueAt' | 'action'>
type Board = Pick<LiveDevice, 'userId' | 'outlets' | 'isOnline' | 'heardAt'>

/**
 * Judges a claimed occurrence. A board that was offline at the time has missed it, and it is not fired late. If the
 * server itself was down, it is retried for as long as it may still fire. `isSecondTry`: it may have been sent already.
 * Only due times are compared with the wall clock, `now`, because it may have been set meanwhile.
 */
export function judgeFiring(
  firing: Firing,
  device: Board | null,
  { now, monotonic, link, isSecondTry }: { now: number; monotonic: number; link: LinkState; isSecondTry: boolean }
): Verdict {
  if (device === null || device.userId === null || firing.switchIndex >= device.outlets.length)
    return { kind: 'skipped' }
  const dueAt = firing.dueAt.getTime()
  const isHopeless = now - dueAt > scheduleLateLimitMs
  const { upSince } = link
  if (upSince === null) return isHopeless ? { kind: 'missed', reason: 'server-down' } : { kind: 'wait' }

  const upMs = monotonic - upSince
  const isHeard = device.heardAt >= upSince
  const isSettling = !isHeard && upMs < settleMs
  if (isSecondTry && isHeard && device.outlets[firing.switchIndex]?.on === (firing.action === 'on'))
    return { kind: 'done' }
  // A board that was cut off together with the server may have run it by itself, and reports that when it is back.
  if (isHopeless) return isSettling ? { kind: 'wait' } : { kind: 'missed', reason: 'server-down' }
  if (device.isOnline) return isSettling ? { kind: 'wait' } : { kind: 'send' }
  const wasServerAway = now - upMs > dueAt
  return wasServerAway || isSettling ? { kind: 'wait' } : { kind: 'missed', reason: 'offline' }
}

/** How an occurrence that fired at `at` has ended. */
export const firedAs = ({ dueAt }: { dueAt: Date }, at: number): 'late' | 'confirmed' =>
  at - dueAt.getTime() > onTimeMs ? 'late' : 'confirmed'

interface Contender {
  _id: string
  switchIndex: number
  deviceId: { toString(): string }
  dueAt: Date
  phase: 'start' | 'end'
}

/**
 * Decides between occurrences that are due for one outlet at one instant: a start wins over an end (the runs follow each
 * other), else the newest schedule wins. Returns the ids of the others.
 */
export function supersededAmong(contenders: readonly Contender[]): Set<string> {
  const losers = new Set<string>()
  const winners = new Map<string, Contender>()
  for (const each of contenders) {
    const place = `${each.deviceId.toString()}:${each.switchIndex}:${each.dueAt.getTime()}`
    const rival = winners.get(place)
    if (rival === undefined) winners.set(place, each)
    else if (rival._id !== each._id) {
      const wins = rival.phase === each.phase ? each._id > rival._id : each.phase === 'start'
      losers.add(wins ? rival._id : each._id)
      if (wins) winners.set(place, each)
    }
  }
  return losers
}
