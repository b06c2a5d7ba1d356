import type { Connection } from '#web/lib/socket/connection.ts'
import { createStore } from '#web/lib/store.ts'

/** The latest notice to this person. It is kept until shown, as the banner's code may still be loading. */
export function createNotices(connection: Pick<Connection, 'on'>) {
  const latest = createStore<{ text: string } | null>(null)
  connection.on('notify-user', (text) => latest.set({ text }))
  return {
    getState: latest.get,
    subscribe: latest.subscribe,
    /** Called when the notice was read or has timed out, or another person signs in. */
    clear: () => latest.set(null)
  }
}
export type Notices = ReturnType<typeof createNotices>
