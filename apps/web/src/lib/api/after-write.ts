import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { ApiError, isLost } from './api-error.ts'
import { notifyOtherTabs } from './other-tabs.ts'
import { readChanged } from './read-changed.ts'

/** Returns whether the outcome is unknown: there was no answer to what was sent, or it does not tell. */
export const isUnanswered = (error: unknown): boolean =>
  isLost(error) || (error instanceof ApiError && (error.status >= 500 || (error.status > 0 && error.status < 400)))

/** Returns whether the record no longer exists. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** Returns whether the record is no longer as it was shown: it is gone, or its present state forbids the change. */
export const isOtherThanShown = (error: unknown): boolean =>
  isGone(error) || (error instanceof ApiError && error.status === 409)

/** Awaits a deletion; a record that no longer exists counts as deleted. */
export async function deleting(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

/**
 * Refetches the queries that show a change, here and in other tabs: after a success, and after a failure whose outcome
 * is unknown or which shows that the record has changed meanwhile. Any other refusal changed nothing. Without an answer
 * the refetch is not awaited, so that the failure is shown at once.
 */
export function readAgain(
  queryClient: QueryClient,
  touches: readonly QueryKey[],
  error: unknown = null
): Promise<unknown> | undefined {
  if (error !== null && !isUnanswered(error) && !isOtherThanShown(error)) return undefined
  notifyOtherTabs(touches)
  const reading = Promise.all(touches.map((queryKey) => readChanged(queryClient, { queryKey })))
  return isUnanswered(error) ? undefined : reading
}
