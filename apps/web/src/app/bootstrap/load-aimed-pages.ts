import { loadAhead, type Ahead } from '#web/app/routing/router.tsx'
import { savesData } from './saves-data.ts'

/**
 * Loads the code and texts of a page as soon as a mouse is over its link or a finger touches it, a tenth of a second or
 * more before the click. Skipped in data saver mode. Returns a function that ends this.
 */
export function loadAimedPages(services: Ahead, page: Window): () => void {
  function look({ target }: Event) {
    const link = target instanceof Element ? target.closest('a') : null
    if (link?.origin === page.location.origin && !savesData(page.navigator)) loadAhead(services, link.pathname)
  }
  page.addEventListener('pointerover', look, { passive: true })
  return () => page.removeEventListener('pointerover', look)
}
