import { isRecord } from '@batti/kit/json'
import { screensFor } from '#web/app/routing/screens.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'

/** The page that a login leads back to: null unless it is one that is guarded and that this person may see. */
export function wayBackOf(state: unknown, user: SessionUser): string | null {
  const way = isRecord(state) ? state['wayBack'] : null
  if (typeof way !== 'string') return null
  return screensFor(user, way).some(({ roles }) => roles !== 'public') ? way : null
}

/** Whether somebody who is signed in came to the login because the page is of another role. */
export const isOfOthers = (state: unknown): boolean => isRecord(state) && state['isOfOthers'] === true
