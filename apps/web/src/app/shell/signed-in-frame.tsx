import { useEffect } from 'react'
import { Overlay } from '#web/ui/overlays/overlay.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { EndedSession } from './ended-session.tsx'
import { holdFocus } from './hold-focus.ts'
import { keepFocus } from './keep-focus.ts'
import { NotifyBanner } from './notify-banner.tsx'
import { QuickNav } from './quick-nav.tsx'

/** Everything that floats over the pages of a signed-in person. */
export function SignedInFrame() {
  useEffect(() => {
    const content = document.getElementById('content')
    if (content === null) return
    const undo = [keepFocus(document, content), holdFocus(document, content)]
    return () => undo.forEach((run) => run())
  }, [])
  return (
    <>
      <Overlay>
        <ConnectionBar />
        <NotifyBanner />
      </Overlay>
      <QuickNav />
      <EndedSession />
    </>
  )
}
