import type { Connection } from '#web/lib/socket/connection.ts'
import { createStore } from '#web/lib/store.ts'

/** What the server last told this person; kept until it was shown, since the page may still be loading what shows it. */
export function createNotices(connection: Pick<Connection, 'on'>) {
  const latest = createStore<{ text: string } | null>(null)
  connection.on('notify-user', (text) => latest.set({ text }))
  return {
    getState: latest.get,
    subscribe: latest.subscribe,
    /** It was read, or its time is over, or somebody else is here. */
    clear: () => latest.set(null)
  }
}
export type Notices = ReturnType<typeof createNotices>
