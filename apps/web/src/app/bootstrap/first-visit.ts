import { firstTextsOf, loadFirstScreen, type FirstScreen } from '#web/app/routing/router.tsx'
import { roleHome } from '#web/app/routing/role-home.ts'
import type { Services } from '#web/lib/services.ts'
import { frameTexts } from '#web/app/shell/frame-texts.tsx'

/** A slower first screen is not awaited: the frame is shown with a loading state. */
const firstScreenMs = 1000

/**
 * Loads the first screen and its texts. Never rejects: resolves with null when they are late or fail; the page then
 * loads them again.
 */
export function openFirstScreen(services: Services, pathname: string): Promise<FirstScreen | null> {
  const { clock, language } = services
  const texts = language.need([...frameTexts, ...firstTextsOf(pathname)])
  return new Promise((resolve) => {
    const cancel = clock.after(firstScreenMs, () => resolve(null))
    Promise.all([loadFirstScreen(services, pathname), texts])
      .then(
        ([first]) => resolve(first),
        () => resolve(null)
      )
      .finally(cancel)
  })
}

/**
 * Opens the home instead of the public page when a signed-in person has no network, as the public page has nothing for
 * them.
 */
export function openHomeOffline(
  { session }: Pick<Services, 'session'>,
  { location, history, navigator }: Pick<Window, 'location' | 'history' | 'navigator'>
): void {
  const state = session.getState()
  if (navigator.onLine || location.pathname !== '/' || state.kind !== 'in') return
  history.replaceState(null, '', roleHome(state.user.role))
}
