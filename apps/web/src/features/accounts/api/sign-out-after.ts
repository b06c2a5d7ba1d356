import { useCallback } from 'react'
import type { SignOutReason } from '#web/lib/session/session.ts'
import { useServices } from '#web/lib/services.ts'

/** How long a success message stays after a password change, a verification or a deletion. */
export const successShownMs = 1500

/**
 * Runs a call that ends every session of the account, shows its result for a second and a half, then ends the session
 * here. The server closes the socket as soon as it is done: that must not change the page earlier.
 */
export function useSignOutAfter() {
  const { session, connection, clock } = useServices()
  return useCallback(
    async <T>(reason: SignOutReason, call: () => Promise<T>): Promise<T> => {
      // Renews the token before the hold, as no renewal happens during it.
      await session.authorize()
      const release = session.hold()
      try {
        const answer = await call()
        connection.stop()
        clock.after(successShownMs, () => {
          session.end(reason)
          release()
        })
        return answer
      } catch (error) {
        release()
        throw error
      }
    },
    [session, connection, clock]
  )
}
