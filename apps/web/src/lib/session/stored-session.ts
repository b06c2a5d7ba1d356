import type { KeyValueStorage } from '#web/lib/storage.ts'
import type { Session, StoredSession } from './session-machine.ts'

/** Keys in the browser's storage. Renaming one signs everybody out. */
const keys = ['accessToken', 'refreshToken', 'userInfo'] as const

export function readStoredSession(storage: KeyValueStorage): StoredSession {
  return {
    accessToken: storage.getItem('accessToken'),
    refreshToken: storage.getItem('refreshToken'),
    userInfo: storage.getItem('userInfo')
  }
}

export function writeStoredSession(storage: KeyValueStorage, session: Session): void {
  if (session.kind !== 'in') {
    for (const key of keys) storage.removeItem(key)
    return
  }
  // The access token is written last: other tabs watch it, and must find the other values in place.
  if (session.refreshToken === null) storage.removeItem('refreshToken')
  else storage.setItem('refreshToken', session.refreshToken)
  storage.setItem('userInfo', JSON.stringify(session.user))
  storage.setItem('accessToken', session.accessToken)
}
