import { getAccount } from '@batti/contracts'
import { isCancelled } from '#web/lib/api/api-error.ts'
import { readChanged } from '#web/lib/api/read-changed.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import type { Services } from '#web/lib/services.ts'
import { maySeeFleet, sessionUser, type SessionUser } from '#web/lib/session/session-user.ts'

const isNameless = ({ email, name }: SessionUser) => email === '' && name === ''
const rightsOf = ({ role, permissions }: SessionUser) => [role, ...permissions.toSorted()].join()
const isNotLive = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== 'live-device'

/** Keeps connection and data those of the person who is signed in. Returns a function that ends this. */
export function followSession(services: Services): () => void {
  const { api, session, connection, commander, logError, notices, queryClient, clock } = services
  let userId: string | null = null
  let wasOver = false
  let cancelRefetch = () => {}

  /** The socket is open while somebody is signed in. Data of one person is cleared before the next one signs in. */
  function follow() {
    const state = session.getState()
    const next = state.kind === 'out' ? null : state.user._id
    const isStaff = state.kind !== 'out' && maySeeFleet(state.user)
    const isBack = wasOver && state.kind === 'in'
    wasOver = state.kind === 'over'
    if (next === userId) {
      connection.followFleet(isStaff)
      if (isBack) comeBack()
      return
    }
    if (userId !== null) {
      connection.stop()
      commander.reset()
      notices.clear()
      queryClient.clear()
    }
    userId = next
    if (next !== null) void connection.start(next)
    connection.followFleet(isStaff)
    if (state.kind === 'in' && (isNameless(state.user) || state.user.role !== 'user')) void loadUser()
  }
  /** The same person has logged in again on the same page: its data is stale. */
  function comeBack() {
    connection.reconnect()
    void readChanged(queryClient, { predicate: isNotLive })
  }
  /**
   * A session restored from its token alone has only an id and a role, and the rights of staff may have changed since
   * it was stored: the server is asked.
   */
  async function loadUser() {
    try {
      takeUser(sessionUser.parse(await api.call(getAccount)))
    } catch (error) {
      if (!isCancelled(error)) logError(error)
    }
  }
  /** When role or permissions change, menu and guards follow the user, and all data is read again. */
  function takeUser(user: SessionUser) {
    const state = session.getState()
    if (state.kind === 'out' || state.user._id !== user._id) return
    const isOther = rightsOf(user) !== rightsOf(state.user)
    session.updateUser(user)
    if (!isOther) return
    // Deferred until the guards have closed pages that are no longer allowed: those must not refetch.
    cancelRefetch()
    cancelRefetch = clock.after(0, () => {
      queryClient.removeQueries({ type: 'inactive', predicate: isNotLive })
      void readChanged(queryClient, { predicate: isNotLive })
    })
  }

  let wasAway = false
  const undo = [
    connection.on('account-changed', (rights) => {
      const state = session.getState()
      if (state.kind !== 'in') return
      takeUser({ ...state.user, ...rights })
      // The event is sent for a new name or number too, which it does not carry. An open profile reads both for the session.
      const account = { queryKey: queryKeys.account }
      if (queryClient.getQueryCache().find({ ...account, type: 'active' }) === undefined) void loadUser()
      void readChanged(queryClient, account)
    }),
    // `account-changed` events during the interruption were missed.
    connection.subscribe(() => {
      const status = connection.getState()
      if (status === 'reconnecting' || status === 'lost') wasAway = true
      if (status !== 'live' || !wasAway) return
      wasAway = false
      const state = session.getState()
      if (state.kind === 'in' && state.user.role !== 'user') void loadUser()
    }),
    session.subscribe(follow)
  ]
  follow()
  return () => {
    cancelRefetch()
    for (const end of undo) end()
  }
}
