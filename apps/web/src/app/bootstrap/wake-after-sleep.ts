import type { Services } from '#web/lib/services.ts'

const beatMs = 5000
const asleepAfterMs = 20_000

/**
 * A page that slept shows nothing as live until its snapshots are back, and its times as of now. A sleeping machine
 * stops timers, so a late beat reveals it. The beats of a hidden tab are late too, but nobody sees that page. Returns a
 * function that ends this.
 */
export function wakeAfterSleep(
  { clock, connection, live, serverTime }: Pick<Services, 'clock' | 'connection' | 'live' | 'serverTime'>,
  page: Document
): () => void {
  let lastBeat = clock.now()
  let cancelBeat = () => {}

  function beat() {
    const now = clock.now()
    if (now - lastBeat > asleepAfterMs) {
      serverTime.woke()
      connection.reconnect()
      void live.wake()
    }
    lastBeat = now
    cancelBeat()
    cancelBeat = clock.after(beatMs, beat)
  }
  function beatIfVisible() {
    if (page.visibilityState === 'visible') beat()
  }

  beat()
  page.addEventListener('visibilitychange', beatIfVisible)
  return () => {
    cancelBeat()
    page.removeEventListener('visibilitychange', beatIfVisible)
  }
}
