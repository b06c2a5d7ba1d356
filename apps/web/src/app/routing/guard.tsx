import type { ReactNode } from 'react'
import { Navigate } from 'react-router-dom'
import { useServices, useUser } from '#web/lib/services.ts'
import { pathAfter } from './role-home.ts'
import type { Screen } from './screens.ts'

/** No user, or a role outside the list: to /login (accounts §6). The server guards its calls by itself. */
export function Guard({ roles, children }: { roles: Screen['roles']; children: ReactNode }) {
  const { session } = useServices()
  const user = useUser()
  if (roles === 'public' || (user !== null && roles.includes(user.role))) return children
  // A session that ended on a guarded page leads where `SessionNavigation` leads, whichever of the two is first.
  const ending = user === null ? session.lastEnding() : null
  return <Navigate to={ending === null ? '/login' : pathAfter(ending)} replace />
}
