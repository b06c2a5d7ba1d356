import { useEffect, useState, type ComponentType } from 'react'
import { Overlay } from '#web/ui/overlays/overlay.tsx'
import { useEndedUser, useServices } from '#web/lib/services.ts'
import type { SessionUser } from '#web/lib/session/session-user.ts'

type LogIn = ComponentType<{ user: SessionUser }>

/** The login above a page with unsaved input. If its code cannot be loaded, the session ends as usual. */
export function EndedSession() {
  const { session } = useServices()
  const user = useEndedUser()
  const [LogIn, setLogIn] = useState<LogIn | null>(null)
  const isNeeded = user !== null && LogIn === null
  useEffect(() => {
    if (!isNeeded) return
    import('#web/routes/parts/log-in-again.tsx').then(
      (loaded) => setLogIn(() => loaded.LogInAgain),
      () => session.end('logout')
    )
  }, [isNeeded, session])
  if (user === null) return null
  if (LogIn !== null) return <LogIn user={user} />
  // Hides the page meanwhile.
  return (
    <Overlay>
      <div className="fixed inset-0 z-70 bg-page" />
    </Overlay>
  )
}
