import { Overlay } from '#web/ui/overlay.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { NotifyBanner } from './notify-banner.tsx'
import { QuickNav } from './quick-nav.tsx'

/** What floats over the pages of somebody who is signed in. */
export function SignedInFrame() {
  return (
    <>
      <Overlay>
        <ConnectionBar />
        <NotifyBanner />
      </Overlay>
      <QuickNav />
    </>
  )
}
