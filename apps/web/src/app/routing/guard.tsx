import type { ReactNode } from 'react'
import { Navigate, useLocation, useOutletContext } from 'react-router-dom'
import { useServices, useUser } from '#web/lib/services.ts'
import { pathAfter, roleHome } from './role-home.ts'
import { PermissionPage } from './permission-page.tsx'
import { maySee } from './screens.ts'
import type { Screen } from './screen.ts'
import { wayBackOfOthers, wayBackTo } from './way-back.ts'

/**
 * Protects a screen; the server checks its calls itself. Without a user, or with a role outside the list, it leads to
 * /login, which tells a signed-in person why. A person who logged in on a page that another left open did not ask for
 * that page, and gets to their own home. A monitor without the permission reads which one is missing.
 */
export function Guard({ screen, children }: { screen: Pick<Screen, 'roles' | 'permission'>; children: ReactNode }) {
  const { roles, permission } = screen
  const { session } = useServices()
  const user = useUser()
  const location = useLocation()
  const isLeftByAnother = useOutletContext<boolean | undefined>() === true
  if (roles === 'public') return children
  if (user !== null && roles.includes(user.role))
    return permission === undefined || maySee(user, screen) ? children : <PermissionPage missing={permission} />
  if (user !== null && isLeftByAnother) return <Navigate to={roleHome(user.role)} replace />
  if (user !== null) return <Navigate to="/login" state={wayBackOfOthers(location)} replace />
  // After a session ended on a guarded page, this and `SessionNavigation` lead to the same place, whichever runs first.
  const ending = session.lastEnding()
  return <Navigate to={ending === null ? '/login' : pathAfter(ending)} state={wayBackTo(location, ending)} replace />
}
