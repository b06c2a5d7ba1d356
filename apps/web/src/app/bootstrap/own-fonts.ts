import type { Services } from '#web/lib/services.ts'

interface Deps extends Pick<Services, 'clock' | 'queryClient' | 'storage'> {
  connection: Pick<Services['connection'], 'getState' | 'subscribe'>
  session: Pick<Services['session'], 'getState'>
}

/** What boards report arrives a little after the connection. */
const snapshotsMs = 500

/**
 * Switches from the fallback font to the product's own, which has the same metrics, once the first screen has its data
 * and the boards' states, as the font's 48 KB would delay them; at the latest after `latestMs`. Later visits start with
 * it. The font of Nepali's own name, at the end of the page, waits on each.
 */
export function takeOwnFontsWhenShown(
  { clock, connection, queryClient, session, storage }: Deps,
  root: HTMLElement,
  latestMs: number
): void {
  const cache = queryClient.getQueryCache()
  const ends = [clock.after(latestMs, take), cache.subscribe(look), connection.subscribe(look)]
  // Pages without a session read nothing.
  if (session.getState().kind === 'out') take()

  function look() {
    const hasData = cache.getAll().some(({ state }) => state.data !== undefined) && queryClient.isFetching() === 0
    if (!hasData || connection.getState() !== 'live') return
    stop()
    clock.after(snapshotsMs, take)
  }

  function take() {
    stop()
    root.dataset['fonts'] = 'all'
    storage.setItem('fonts', 'own')
  }

  function stop() {
    for (const end of ends.splice(0)) end()
  }
}
