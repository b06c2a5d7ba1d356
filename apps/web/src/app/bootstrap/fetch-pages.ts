import { screens, maySee } from '#web/app/routing/screens.ts'
import { loadArea } from '#web/i18n/load-area.ts'
import type { Services } from '#web/lib/services.ts'
import { savesData } from './saves-data.ts'

/** Dialogs and menus that open wherever switches are shown. */
const opened = [
  () => import('#web/app/shell/profile-menu-items.tsx'),
  () => import('#web/app/shell/more-sheet.tsx'),
  () => import('#web/features/switches/components/switch-options-popover.tsx'),
  () => import('#web/features/switches/components/offline-help-dialog.tsx')
]

/** Failures in a row that end the prefetching. */
const failuresAtEnd = 3

/**
 * Prefetches the other pages of a home, and the public ones, one by one while the browser is idle. The service worker
 * caches them, so that they open at once, and also while the server or the router has no power. Skipped in data saver
 * mode.
 */
export async function fetchPagesWhenIdle({ session, language }: Services, page: Window): Promise<void> {
  const idle = page.requestIdleCallback?.bind(page) ?? ((run: () => void) => page.setTimeout(run, 200))
  await whenSignedIn(session)
  const state = session.getState()
  if (state.kind !== 'in' || state.user.role !== 'user' || savesData(page.navigator)) return
  const chosen = language.getState().language
  // Pages of the home come first: without a network people need their switches.
  const pages = screens
    .filter((screen) => maySee(state.user, screen))
    .toSorted((a, b) => Number(a.roles === 'public') - Number(b.roles === 'public'))
  const areas = [...new Set(pages.flatMap(({ texts }) => texts))]
  const steps = [...opened, ...pages.map(({ load }) => load), ...areas.map((area) => () => loadArea(chosen, area))]
  let failures = 0
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    await new Promise<void>((resolve) => idle(() => resolve()))
    const isThere = (await step().catch(() => null)) !== null
    failures = isThere ? 0 : failures + 1
    // The network is gone, or a new release is out. The page itself reports that when it is opened.
    if (failures === failuresAtEnd) return
    // A file that was lost on the way is asked for again after the others.
    if (!isThere) steps.push(step)
  }
}

/** Nobody may be signed in yet when this starts. */
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
