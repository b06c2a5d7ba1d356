import { ApiError } from '#web/lib/api/api-error.ts'
import type { Text } from '#web/lib/i18n/use-text.ts'

/** The heading where a list of switches does not come: it was asked for without a token, or it failed. */
export const listFailed = (t: Text, error: Error | null): string =>
  t(error instanceof ApiError && error.status === 401 ? 'switches.notSignedIn' : 'switches.failed')
