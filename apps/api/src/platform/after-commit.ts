import { AsyncLocalStorage } from 'node:async_hooks'

/** The effects that wait for the commit of the running transaction. */
export const commitEffects = new AsyncLocalStorage<(() => void)[]>()

/** Runs `effect` once all writes are stored: now, or after the running transaction has been committed. */
export function afterCommit(effect: () => void): void {
  const effects = commitEffects.getStore()
  if (effects === undefined) effect()
  else effects.push(effect)
}

export const isInTransaction = (): boolean => commitEffects.getStore() !== undefined
