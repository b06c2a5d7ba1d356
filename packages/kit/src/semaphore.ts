/** Admits `limit` holders at a time; the others wait in order of arrival. */
export interface Semaphore {
  /** Runs `task` when a slot is free. @throws the error of `refusal` when too many wait, or the error of the task. */
  run<T>(task: () => Promise<T>): Promise<T>
  /** Resolves with an idempotent release function. @throws the error of `refusal` when too many wait or `signal` is aborted. */
  enter(signal?: AbortSignal): Promise<() => void>
}

export interface SemaphoreOptions {
  readonly waitingMax?: number
  readonly refusal?: () => Error
}

export function createSemaphore(limit: number, options: SemaphoreOptions = {}): Semaphore {
  const { waitingMax = Infinity, refusal = () => new Error('Too many wait for their turn.') } = options
  const waiting = new Set<() => void>()
  let inside = 0

  function createRelease(): () => void {
    let isOut = false
    return () => {
      if (isOut) return
      isOut = true
      const [next] = waiting
      // The slot passes directly to the next waiter, so that a newcomer never overtakes it.
      if (next === undefined) inside -= 1
      else next()
    }
  }

  function wait(signal: AbortSignal | undefined): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const proceed = (): void => {
        leaveQueue()
        resolve(createRelease())
      }
      const giveUp = (): void => {
        leaveQueue()
        reject(refusal())
      }
      const leaveQueue = (): void => {
        waiting.delete(proceed)
        signal?.removeEventListener('abort', giveUp)
      }
      if (signal?.aborted === true) return giveUp()
      waiting.add(proceed)
      signal?.addEventListener('abort', giveUp)
    })
  }

  async function enter(signal?: AbortSignal): Promise<() => void> {
    if (inside < limit) {
      inside += 1
      return createRelease()
    }
    if (waiting.size >= waitingMax) throw refusal()
    return wait(signal)
  }

  return {
    enter,
    async run(task) {
      const leave = await enter()
      try {
        return await task()
      } finally {
        leave()
      }
    }
  }
}
