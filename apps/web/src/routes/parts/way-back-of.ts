import { isRecord } from '@batti/kit/json'
import { screensFor } from '#web/app/routing/screens.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'

/** Returns the page to open after the login: null unless it is a guarded page that this person may see. */
export function wayBackOf(state: unknown, user: SessionUser): string | null {
  const way = isRecord(state) ? state['wayBack'] : null
  if (typeof way !== 'string') return null
  return screensFor(user, way).some(({ roles }) => roles !== 'public') ? way : null
}

/** Returns whether a signed-in person was sent to the login because the page belongs to another role. */
export const isOfOthers = (state: unknown): boolean => isRecord(state) && state['isOfOthers'] === true
