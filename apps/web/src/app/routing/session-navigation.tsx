import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { useServices } from '#web/lib/services.ts'
import { pathAfter } from './role-home.ts'

/** When a session ends the app goes to the login page; to the public home when the account is gone. */
export function SessionNavigation() {
  const { session } = useServices()
  const navigate = useNavigate()
  useEffect(() => session.onEnd((reason) => void navigate(pathAfter(reason), { replace: true })), [session, navigate])
  return null
}
