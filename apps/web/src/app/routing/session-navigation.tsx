import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useServices } from '#web/lib/services.ts'
import { pathAfter } from './role-home.ts'
import { wayBackTo } from './way-back.ts'

/** Opens the login page when a session ends, or the public home when the account was deleted. */
export function SessionNavigation() {
  const { session } = useServices()
  const navigate = useNavigate()
  const location = useLocation()
  useEffect(
    () =>
      session.onEnd(
        (reason) => void navigate(pathAfter(reason), { replace: true, state: wayBackTo(location, reason) })
      ),
    [session, navigate, location]
  )
  return null
}
