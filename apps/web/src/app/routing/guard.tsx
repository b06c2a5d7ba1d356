import type { ReactNode } from 'react'
import { Navigate, useLocation, useOutletContext } from 'react-router-dom'
import { useServices, useUser } from '#web/lib/services.ts'
import { pathAfter, roleHome } from './role-home.ts'
import { PermissionPage } from './permission-page.tsx'
import { maySee } from './screens.ts'
import type { Screen } from './screen.ts'
import { wayBackOfOthers, wayBackTo } from './way-back.ts'

/**
 * No user, or a role outside the list: to /login, where who is signed in reads why; who logged in on a page that another left open did
 * not ask for it, and comes home. A monitor without the permission reads what is missing.
 * The server guards its calls by itself.
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
  // A session that ended on a guarded page leads where `SessionNavigation` leads, whichever of the two is first.
  const ending = session.lastEnding()
  return <Navigate to={ending === null ? '/login' : pathAfter(ending)} state={wayBackTo(location, ending)} replace />
}
