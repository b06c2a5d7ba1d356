import { ApiError } from '#web/lib/api/api-error.ts'
import type { Text } from '#web/lib/i18n/use-text.ts'

/** Returns the heading of a failed list of switches: not signed in, or failed. */
export const listFailed = (t: Text, error: Error | null): string =>
  t(error instanceof ApiError && error.status === 401 ? 'switches.notSignedIn' : 'switches.failed')
