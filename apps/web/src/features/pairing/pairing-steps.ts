import type { ClaimProgress } from '@batti/contracts'

export const pairingSteps = ['code', 'sent', 'reached', 'claimed', 'online'] as const
export type PairingStep = (typeof pairingSteps)[number]
export type StepState = 'done' | 'now' | 'todo' | 'failed'

const rank: Record<ClaimProgress['step'], number> = {
  waiting: 0,
  reached: 1,
  claimed: 2,
  online: 3,
  failed: 4,
  expired: 4
}

/** A pairing with the furthest successful step, which tells where it failed. */
export interface Pairing extends ClaimProgress {
  furthest: 'waiting' | 'reached' | 'claimed' | 'online'
}

/** Returns the later of two states of a pairing, as socket and polling may overtake each other. */
export function laterProgress(current: Pairing | undefined, next: ClaimProgress): Pairing {
  const known = current?.id === next.id ? current : undefined
  // Online is final: a later expiry of the code changes nothing.
  if (
    known !== undefined &&
    (known.step === 'online' || (rank[next.step] < rank[known.step] && !clearsFailure(known, next)))
  )
    return known
  const furthest = next.step === 'failed' || next.step === 'expired' ? (known?.furthest ?? 'waiting') : next.step
  return { ...next, furthest }
}

/** The code stays valid after a failure, for example until the board's type is added or another board is used. */
const clearsFailure = (known: Pairing, next: ClaimProgress): boolean =>
  known.step === 'failed' && (next.step === 'claimed' || next.step === 'online')

export interface PairingState {
  hasCode: boolean
  /** The form was sent to the board from this page. */
  isSent: boolean
  pairing: Pairing | undefined
}

/** Returns the state of each step: done, current, failed, or still to do. */
export function stepStates({ hasCode, isSent, pairing }: PairingState): Record<PairingStep, StepState> {
  const reached = rank[pairing?.furthest ?? 'waiting']
  const done: Record<PairingStep, boolean> = {
    code: hasCode,
    // A board that reached the server has the form, even if another phone (which scanned the code) sent it.
    sent: isSent || reached >= 1,
    reached: reached >= 1,
    claimed: reached >= 2,
    online: reached >= 3
  }
  const hasFailed = pairing?.step === 'failed' || pairing?.step === 'expired'
  const current = pairingSteps.find((name) => !done[name])
  const stateOf = (name: PairingStep): StepState => {
    if (done[name]) return 'done'
    if (name !== current) return 'todo'
    return hasFailed ? 'failed' : 'now'
  }
  return {
    code: stateOf('code'),
    sent: stateOf('sent'),
    reached: stateOf('reached'),
    claimed: stateOf('claimed'),
    online: stateOf('online')
  }
}
