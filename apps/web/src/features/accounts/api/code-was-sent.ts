import { codeCooldownMs } from '@batti/contracts'
import { ApiError } from '#web/lib/api/api-error.ts'

/**
 * "Please try again after 42 seconds.": a code was sent less than a minute ago, and is still good. A longer wait is
 * another limit's.
 */
export function wasCodeSent(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.code !== 'TOO_MANY_REQUESTS') return false
  const seconds = /after (\d+) second/.exec(error.message)?.[1]
  return seconds !== undefined && Number(seconds) * 1000 <= codeCooldownMs
}
