import type { StoreBatch } from '../platform/store/batches/batch-collector.ts'

type Batch = StoreBatch<string, string, number>

/** A store whose writes wait until the test completes or fails them. */
export function heldStore() {
  const batches: Batch[] = []
  const gates: PromiseWithResolvers<void>[] = []
  const store = (batch: Batch): Promise<void> => {
    batches.push(structuredClone(batch))
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    return gate.promise
  }
  return { store, batches, gates }
}

/** Resolves after a turn of the event loop, in which a batch that gathers for no time is begun. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
