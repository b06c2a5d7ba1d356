import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { tellOtherTabs } from './other-tabs.ts'

/** Nobody here knows whether it was done: no answer came, or one that does not say. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && (error.status < 400 || error.status >= 500)

/** What it was for is not there any more. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** A deletion: what is not there any more is deleted. */
export async function deleting(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

/**
 * What shows a change is asked for anew: when it is done, and when it failed so that what is shown may be wrong. A refusal
 * changed nothing. Other tabs of this browser are told. A server that gave no answer is not waited for again: the failure is told at once.
 */
export function readAgain(
  queryClient: QueryClient,
  touches: readonly QueryKey[],
  error: unknown = null
): Promise<unknown> | undefined {
  if (error !== null && !isUnanswered(error) && !isGone(error)) return undefined
  tellOtherTabs(touches)
  const reading = Promise.all(touches.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  return isUnanswered(error) ? undefined : reading
}
