import { firstTextsOf, loadFirstScreen, type FirstScreen } from '#web/app/routing/router.tsx'
import { roleHome } from '#web/app/routing/role-home.ts'
import type { Services } from '#web/lib/services.ts'
import { frameTexts } from '#web/app/shell/frame-texts.tsx'

/** A first screen that takes longer is not waited for: the frame is shown, and says what goes on. */
const firstScreenMs = 1000

/** Never fails: null where the screen or its texts are late or lost. What is shown then loads them again. */
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

/** Without a network the public page has nothing for somebody who is signed in: their home opens in its place. */
export function goHomeOffline(
  { session }: Pick<Services, 'session'>,
  { location, history, navigator }: Pick<Window, 'location' | 'history' | 'navigator'>
): void {
  const state = session.getState()
  if (navigator.onLine || location.pathname !== '/' || state.kind !== 'in') return
  history.replaceState(null, '', roleHome(state.user.role))
}
