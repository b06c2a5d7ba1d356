import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { useServices } from '../lib/services.ts'
import { loginPath } from './role-home.ts'

/** When a session ends, however it ends, the app goes to the login page. */
export function SessionNavigation() {
  const { session } = useServices()
  const navigate = useNavigate()
  useEffect(() => session.onEnd(() => void navigate(loginPath, { replace: true })), [session, navigate])
  return null
}
