import { addressGroup } from '@batti/kit/address'
import { tryAgainAfter, unavailable } from '../../platform/app-error.ts'

/** Who waits for a password to be computed. Nobody named: somebody who is logged in. */
export interface Turn {
  ip: string
  /** Whether the account that is asked for was logged in there before. */
  isKnownPlace: boolean
}

export type PasswordQueue = <Result>(task: () => Promise<Result>, turn?: Turn) => Promise<Result>

const waitingMax = 500
const waitingMaxEach = 40
/** Known places that go before a stranger who waits: somebody may log in again and again at their own. */
const knownInARow = 3

/**
 * Computes so many at a time. Known places go first, and in each of the two queues one of each address in turn, so that
 * somebody's forty wrong logins make another wait for one of them.
 * @throws AppError TOO_MANY_REQUESTS, UNAVAILABLE where too many wait already.
 */
export function createPasswordQueue(atOnce: number): PasswordQueue {
  const known = createRoundRobin()
  const strangers = createRoundRobin()
  let inside = 0
  let inARow = 0

  function next(): (() => void) | undefined {
    const isStrangersTurn = inARow >= knownInARow
    const first = (isStrangersTurn ? strangers.take() : undefined) ?? known.take()
    inARow = first === undefined || isStrangersTurn ? 0 : inARow + 1
    return first ?? strangers.take()
  }

  return async (task, { ip, isKnownPlace } = { ip: '', isKnownPlace: true }) => {
    if (inside < atOnce) inside += 1
    else await (isKnownPlace ? known : strangers).wait(addressGroup(ip))
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

function createRoundRobin() {
  const queues = new Map<string, Set<() => void>>()
  let waiting = 0
  return {
    async wait(from: string): Promise<void> {
      const queue = queues.get(from) ?? new Set()
      if (queue.size >= waitingMaxEach) throw tryAgainAfter(10)
      if (waiting >= waitingMax) throw unavailable('Too many people at once. Please try again after 5 seconds.')
      waiting += 1
      await new Promise<void>((proceed) => queues.set(from, queue.add(proceed)))
    },
    take(): (() => void) | undefined {
      const [first] = queues
      if (first === undefined) return undefined
      const [from, queue] = first
      const [proceed] = queue
      queues.delete(from)
      if (proceed === undefined) return undefined
      waiting -= 1
      queue.delete(proceed)
      if (queue.size > 0) queues.set(from, queue)
      return proceed
    }
  }
}
