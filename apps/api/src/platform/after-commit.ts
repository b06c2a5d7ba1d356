import { AsyncLocalStorage } from 'node:async_hooks'

/** What waits for the transaction that runs. */
export const commitEffects = new AsyncLocalStorage<(() => void)[]>()

/** Runs `effect` once what was written is stored: now, or when the transaction that runs has been committed. */
export function afterCommit(effect: () => void): void {
  const effects = commitEffects.getStore()
  if (effects === undefined) effect()
  else effects.push(effect)
}
