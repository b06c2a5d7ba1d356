import { logout } from '@batti/contracts'
import { useCallback } from 'react'
import { ApiError, errorMessage } from '#web/lib/api/api-error.ts'
import { useText } from '#web/lib/i18n/use-text.ts'
import { notify } from '#web/lib/notify.ts'
import { useServices } from '#web/lib/services.ts'

const isLost = (error: unknown) => error instanceof ApiError && error.code === 'NETWORK'

/**
 * Calls the server with the refresh token, then clears everything and opens the login.
 * If the call fails, an alert is shown and nothing is cleared.
 */
export function useLogout(): () => Promise<void> {
  const { api, session, logError } = useServices()
  const t = useText()
  return useCallback(async () => {
    const state = session.getState()
    if (state.kind !== 'in') return
    const tell = () =>
      api.call(logout, { body: state.refreshToken === null ? {} : { refreshToken: state.refreshToken } })
    try {
      await tell().catch((error: unknown) => {
        if (!isLost(error)) throw error
        // Ending a session is idempotent.
        return tell()
      })
      session.end('logout')
    } catch (error) {
      logError(error)
      // The session has ended meanwhile, for example after a 401.
      if (session.getState().kind !== 'in') return
      const message = errorMessage(error, t('shell.logoutFailed'))
      if (message !== null) notify.error(message, 'logout')
    }
  }, [api, session, logError, t])
}
