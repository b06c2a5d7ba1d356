import { codeCooldownMs } from '@batti/contracts'
import { ApiError } from '#web/lib/api/api-error.ts'

/**
 * Returns whether the server refused because it sent a code less than a minute ago, which is still valid: "Please try
 * again after 42 seconds." A longer wait comes from another limit.
 */
export function wasCodeSent(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.code !== 'TOO_MANY_REQUESTS') return false
  const seconds = /after (\d+) second/.exec(error.message)?.[1]
  return seconds !== undefined && Number(seconds) * 1000 <= codeCooldownMs
}
