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

/** A pairing with the furthest good step it has seen: where it failed, if it fails. */
export interface Pairing extends ClaimProgress {
  furthest: 'waiting' | 'reached' | 'claimed' | 'online'
}

/** The later of two tellings of a pairing: the socket and the polling may overtake each other. */
export function laterProgress(current: Pairing | undefined, next: ClaimProgress): Pairing {
  const known = current?.id === next.id ? current : undefined
  // Online is the end: a code that runs out afterwards changes nothing.
  if (known !== undefined && (known.step === 'online' || (rank[next.step] < rank[known.step] && !mends(known, next))))
    return known
  const furthest = next.step === 'failed' || next.step === 'expired' ? (known?.furthest ?? 'waiting') : next.step
  return { ...next, furthest }
}

/** A failure leaves the code usable: the board's type was added, or another board came with it. Only then is it claimed. */
const mends = (known: Pairing, next: ClaimProgress): boolean =>
  known.step === 'failed' && (next.step === 'claimed' || next.step === 'online')

export interface PairingState {
  hasCode: boolean
  /** The form went out to the board from this page. */
  isSent: boolean
  pairing: Pairing | undefined
}

/** How each step is drawn: what is done, the one under way, and where it failed. */
export function stepStates({ hasCode, isSent, pairing }: PairingState): Record<PairingStep, StepState> {
  const reached = rank[pairing?.furthest ?? 'waiting']
  const done: Record<PairingStep, boolean> = {
    code: hasCode,
    // A board that reached the server has the form, whoever sent it (the phone that scanned the code, say).
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
