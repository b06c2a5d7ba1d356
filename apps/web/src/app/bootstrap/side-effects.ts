import { listenToOtherTabs } from '#web/lib/api/other-tabs.ts'
import { readChanged } from '#web/lib/api/read-changed.ts'
import { forgetDrafts } from '#web/lib/form/tab-storage.ts'
import type { Services } from '#web/lib/services.ts'
import { followSession } from './follow-session.ts'
import { loadAimedPages } from './load-aimed-pages.ts'
import { followFeatureEvents } from './live-updates.ts'
import { reconnectWhenAnswered } from './reconnect-when-answered.ts'
import { wakeAfterSleep } from './wake-after-sleep.ts'

/** Starts the listeners that run for the whole life of the page. Returns a function that ends them. */
export function startSideEffects(services: Services, page: Window): () => void {
  const { session, connection, live, logError, queryClient, theme, language } = services
  const undo = [
    live.start(),
    followFeatureEvents(services),
    reconnectWhenAnswered(queryClient, connection),
    followSession(services),
    session.onEnd(forgetDrafts),
    wakeAfterSleep(services, page.document),
    loadAimedPages(services, page),
    listenToOtherTabs((touches) => {
      for (const queryKey of touches) void readChanged(queryClient, { queryKey })
    })
  ]

  const on = (event: string, listener: EventListener) => {
    page.addEventListener(event, listener)
    undo.push(() => page.removeEventListener(event, listener))
  }
  /** Another page of this browser renewed the session, logged in or logged out, or changed the look. Null: maybe all of these. */
  const adopt = (key: string | null) => {
    if (key !== 'theme' && key !== 'language') session.adopt()
    if (key === null || key === 'theme') theme.adopt()
    if (key === null || key === 'language') void language.adopt().catch(logError)
  }
  on('storage', (event) => event instanceof StorageEvent && adopt(event.key))
  // Back shows a page as it was left, which missed these events meanwhile.
  on('pageshow', (event) => event instanceof PageTransitionEvent && event.persisted && adopt(null))
  on('online', () => connection.reconnect())
  on('focus', () => connection.reconnect())

  return () => undo.forEach((run) => run())
}
