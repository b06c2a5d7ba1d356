import { ApiError, isCancelled } from '@batti/client/api-error'

export { ApiError, CancelledError, isCancelled } from '@batti/client/api-error'

/**
 * Returns the message to show for a failed call: the server's, else `fallback`; null when nothing is to be shown. A
 * call without an answer shows `fallback`, because "Failed to fetch" helps nobody.
 */
export function errorMessage(error: unknown, fallback: string): string | null {
  if (isCancelled(error)) return null
  if (!(error instanceof ApiError)) return fallback
  return error.status > 0 && error.shown !== '' ? error.shown : fallback
}

/** Returns whether no answer came to a call that was sent, so that its outcome is unknown. */
export const isLost = (error: unknown): boolean => error instanceof ApiError && error.status === 0 && !isUnsent(error)

/** Returns whether there was no network, so that the call was never sent. */
export const isUnsent = (error: unknown): boolean => error instanceof ApiError && error.code === 'UNSENT'

/** Returns the server's message for each invalid field, by path, to show beside the inputs. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(error.errors.map((fault) => [fault.path, fault.message]))
}
