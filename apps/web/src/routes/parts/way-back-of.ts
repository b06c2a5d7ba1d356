import { isRecord } from '@batti/kit/json'
import { matchPath, parsePath } from 'react-router-dom'
import { maySee, screens } from '#web/app/routing/screens.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'

/** The page that a login leads back to: null unless it is one that is guarded and that this person may see. */
export function wayBackOf(state: unknown, user: SessionUser): string | null {
  const way = isRecord(state) ? state['wayBack'] : null
  if (typeof way !== 'string') return null
  const { pathname = '' } = parsePath(way)
  const leads = screens.some(
    (screen) => screen.roles !== 'public' && matchPath(screen.path, pathname) !== null && maySee(user, screen)
  )
  return leads ? way : null
}
