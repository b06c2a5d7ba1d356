/** Serializes the numbered commands of a session: a retry waits for the first attempt, a commit for its statements. */
export interface Turns {
  /** Waits, by `wait`, for the command's turn. Resolves with a function that ends the turn. Rejects when `wait` does. */
  take(session: string, wait: (before: Promise<void>) => Promise<void>): Promise<() => void>
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>()
  return {
    take: async (session, wait) => {
      const before = last.get(session)
      const { promise, resolve } = Promise.withResolvers<void>()
      last.set(session, promise)
      const end = (): void => {
        if (last.get(session) === promise) last.delete(session)
        resolve()
      }
      try {
        if (before) await wait(before)
      } catch (error) {
        // The next command still has to wait for the one before this.
        void before?.then(end)
        throw error
      }
      return end
    }
  }
}
