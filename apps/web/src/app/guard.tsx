import type { ReactNode } from 'react'
import { Navigate } from 'react-router-dom'
import { useUser } from '../lib/services.ts'
import type { Screen } from './screens.ts'

/** No user, or a role outside the list: to /login (accounts §6). The server guards its calls by itself. */
export function Guard({ roles, children }: { roles: Screen['roles']; children: ReactNode }) {
  const user = useUser()
  if (roles !== 'public' && (user === null || !roles.includes(user.role))) return <Navigate to="/login" replace />
  return children
}
