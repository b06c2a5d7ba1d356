import { watchForDoubt } from '@batti/kit/clock-doubt'
import { minuteMs } from '@batti/kit/durations'
import type { Engine } from './engine.ts'
import { expireDocuments } from './storage/expiry.ts'

/** Like MongoDB, expired documents are removed once a minute. */
const EXPIRY_MS = minuteMs
const SWEEP_MS = 5_000

/**
 * Starts the periodic expiry of documents, cursors and transactions. Returns a function that stops it. While the wall clock is
 * in doubt no document expires.
 */
export function startHousekeeping(engine: Engine, expiryMs = EXPIRY_MS): () => void {
  const sweep = setInterval(() => {
    engine.cursors.expire()
    engine.sessions.expire()
  }, SWEEP_MS)
  const isInDoubt = watchForDoubt({ now: engine.now, monotonic: engine.uptimeMs })
  let expiring = false
  const expiry = setInterval(() => {
    if (isInDoubt() || expiring) return
    expiring = true
    void tidy(engine)
      .catch(() => {
        // A full disk: try again in a minute.
      })
      .finally(() => {
        expiring = false
      })
  }, expiryMs)
  sweep.unref()
  expiry.unref()
  return () => {
    clearInterval(sweep)
    clearInterval(expiry)
  }
}

async function tidy(engine: Engine): Promise<void> {
  // Read once, while it is not in doubt: the wall clock may be set during the work.
  const now = engine.now()
  await expireDocuments(engine, now)
  engine.retries.prune(now)
  engine.changes.prune()
  await engine.store.durable()
}
