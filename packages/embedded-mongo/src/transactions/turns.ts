/** Numbered commands of one session, one at a time: a write that is sent again waits for its first try, a commit for its statements. */
export interface Turns {
  /** Waits as `wait` does until it is this session's turn; answers what ends the turn. Rejects when the wait does. */
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
        // Who comes next waits for the one before all the same.
        void before?.then(end)
        throw error
      }
      return end
    }
  }
}
