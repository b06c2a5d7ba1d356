import { addressGroup } from '@batti/kit/address'
import { tryAgainAfter, unavailable } from '../../../platform/app-error.ts'

/** Who a computation is for. Without it: somebody who is logged in. */
export interface Turn {
  ip: string
  /** The account, if it has logged in from there before. */
  knownAccount?: string | undefined
}

export type PasswordQueue = <Result>(task: () => Promise<Result>, turn?: Turn) => Promise<Result>

const waitingMax = 500
const waitingMaxEach = 40
/** How many known addresses may go before a waiting stranger: somebody may log in to their own account endlessly. */
const knownInARow = 3

/**
 * Limits concurrent computations. Accounts at known addresses go first and take turns, and so do the addresses of
 * strangers: forty wrong logins of one delay another by only one.
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

  return async (task, { ip, knownAccount } = { ip: '', knownAccount: '' }) => {
    if (inside < atOnce) inside += 1
    else if (knownAccount === undefined) await strangers.wait(addressGroup(ip))
    else await known.wait(knownAccount)
    try {
      return await task()
    } finally {
      // The slot is handed over directly, so that a newcomer never overtakes the queue.
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
