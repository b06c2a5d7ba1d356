import { setTimeout as pause } from 'node:timers/promises'

/** Returns true when `work` is done, false after `ms`. No timer stays behind. */
export async function isDoneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const answered = new AbortController()
  const isLate = pause(ms, false, { signal: answered.signal }).catch(() => false)
  try {
    return await Promise.race([work.then(() => true), isLate])
  } finally {
    answered.abort()
  }
}
