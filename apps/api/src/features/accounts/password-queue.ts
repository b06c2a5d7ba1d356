import { addressGroup } from '@batti/kit/address'
import { tryAgainAfter, unavailable } from '../../platform/app-error.ts'

/** Who waits for a password to be computed. Nobody named: somebody who is logged in. */
export interface Turn {
  ip: string
  /** Whether the account that is asked for was logged in there before. */
  isKnownPlace: boolean
}

export type PasswordQueue = <Result>(task: () => Promise<Result>, turn?: Turn) => Promise<Result>

const strangersMax = 500
const strangersMaxEach = 40

/**
 * Computes so many at a time. Known places go first; strangers follow address by address, one of each in turn, so that
 * somebody's forty wrong logins make another wait for one of them.
 * @throws AppError TOO_MANY_REQUESTS, UNAVAILABLE where too many wait already.
 */
export function createPasswordQueue(atOnce: number): PasswordQueue {
  const known = new Set<() => void>()
  const strangers = new Map<string, Set<() => void>>()
  let inside = 0
  let strange = 0

  function join({ ip, isKnownPlace }: Turn, proceed: () => void): void {
    if (isKnownPlace) return void known.add(proceed)
    const from = addressGroup(ip)
    const queue = strangers.get(from) ?? new Set()
    if (queue.size >= strangersMaxEach) throw tryAgainAfter(10)
    if (strange >= strangersMax) throw unavailable('Too many people at once. Please try again after 5 seconds.')
    strange += 1
    strangers.set(from, queue.add(proceed))
  }

  function next(): (() => void) | undefined {
    const [first] = known
    if (first !== undefined) {
      known.delete(first)
      return first
    }
    for (const [from, queue] of strangers) {
      const [proceed] = queue
      strangers.delete(from)
      if (proceed === undefined) continue
      strange -= 1
      queue.delete(proceed)
      if (queue.size > 0) strangers.set(from, queue)
      return proceed
    }
    return undefined
  }

  return async (task, turn = { ip: '', isKnownPlace: true }) => {
    if (inside < atOnce) inside += 1
    else {
      await new Promise<void>((resolve, reject) => {
        try {
          join(turn, resolve)
        } catch (error) {
          reject(error instanceof Error ? error : new Error('no turn'))
        }
      })
    }
    try {
      return await task()
    } finally {
      // The place passes from hand to hand: a newcomer never overtakes those who wait.
      const proceed = next()
      if (proceed === undefined) inside -= 1
      else proceed()
    }
  }
}
