import { isRecord } from '@batti/kit/json'
import { screens, maySee } from '#web/app/routing/screens.ts'
import { loadArea } from '#web/i18n/load-area.ts'
import type { Services } from '#web/lib/services.ts'

/** What opens at a press wherever switches are shown. */
const opened = [
  () => import('#web/app/shell/profile-menu-items.tsx'),
  () => import('#web/app/shell/more-sheet.tsx'),
  () => import('#web/features/switches/components/switch-options-popover.tsx'),
  () => import('#web/features/switches/components/offline-help-dialog.tsx')
]

/**
 * Fetches the other pages of a home, and the public ones, one by one while nothing else is to be done, so that they open at once, and also when
 * the server or the router is without power: what is fetched is kept by the service worker. Not for whoever saves data.
 */
export async function fetchPagesWhenIdle({ session, language }: Services, page: Window): Promise<void> {
  const idle = page.requestIdleCallback?.bind(page) ?? ((run: () => void) => page.setTimeout(run, 200))
  await whenSignedIn(session)
  const state = session.getState()
  if (state.kind !== 'in' || state.user.role !== 'user' || savesData(page.navigator)) return
  const chosen = language.getState().language
  // Those of the home first: somebody without a network wants their lamps.
  const pages = screens
    .filter((screen) => maySee(state.user, screen))
    .toSorted((a, b) => Number(a.roles === 'public') - Number(b.roles === 'public'))
  const areas = [...new Set(pages.flatMap(({ texts }) => texts))]
  const steps = [...opened, ...pages.map(({ load }) => load), ...areas.map((area) => () => loadArea(chosen, area))]
  for (const step of steps) {
    await new Promise<void>((resolve) => idle(() => resolve()))
    // The network went away, or a release came meanwhile: the page itself tells when it is opened.
    if ((await step().catch(() => null)) === null) return
  }
}

/** The page may stand at its login when the time for this comes. */
const whenSignedIn = ({ getState, subscribe }: Services['session']): Promise<void> =>
  new Promise((resolve) => {
    const end = subscribe(look)
    function look() {
      if (getState().kind !== 'in') return
      end()
      resolve()
    }
    look()
  })

function savesData(navigator: Navigator): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : null
  return isRecord(connection) && connection['saveData'] === true
}
