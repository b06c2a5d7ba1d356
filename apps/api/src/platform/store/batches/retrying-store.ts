import type { Logger } from 'pino'

/** Stores one batch after the other, retrying each until it succeeds; failures are logged. */
export function createRetryingStore<Batch>(options: {
  store(batch: Batch): Promise<void>
  log: Logger
  /** Delay after the first failure; grows by the same amount with each further one, up to two seconds. */
  retryMs: number
}) {
  const { store, log, retryMs } = options
  let failures = 0

  return {
    /** Never rejects: resolves when the batch is in the database. */
    async storeUntilDone(batch: Batch): Promise<void> {
      for (;;) {
        try {
          await store(batch)
          if (failures > 0) log.info({ failures }, 'the database stores changes again')
          failures = 0
          return
        } catch (error) {
          failures += 1
          if (failures === 1 || failures % 50 === 0)
            log.error({ err: error, failures }, 'changes could not be stored; trying again')
          await new Promise((resolve) => setTimeout(resolve, Math.min(retryMs * failures, 2000)))
        }
      }
    },
    /** False from a failure until the next stored batch. */
    isHealthy: (): boolean => failures === 0
  }
}
