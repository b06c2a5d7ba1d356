import type { DeviceSnapshot } from '@batti/contracts'
import type { Timers } from '@batti/kit/clock'
import type { Emit } from './emit.ts'

/** How long to wait before a join that failed for a passing reason, such as too many at once, is repeated. */
const joinAgainMs = 5000

/**
 * The rooms of this tab: the person's, one for each board it follows, and the staff's. The server forgets them with the
 * connection. It acknowledges a board's room with the board's snapshot.
 */
export function createRooms(emit: Emit, clock: Pick<Timers, 'after'>) {
  const macs = new Set<string>()
  /** Rooms to be joined again, which nothing is heard of: boards that may look live, and null for the staff's. */
  const missed = new Set<string | null>()
  const snapshotListeners = new Set<(snapshot: DeviceSnapshot) => void>()
  let isStaff = false

  /** Returns whether the server acknowledged. */
  async function joinNow(mac: string): Promise<boolean> {
    const answer = await emit('join-user-device-room', mac)
    if (answer.ok) for (const listener of snapshotListeners) listener(answer.device)
    else if (answer.code === 'NOT_FOUND') macs.delete(mac)
    else retry(mac, answer.code)
    return answer.ok || answer.code !== 'NO_ACK'
  }
  async function joinStaff() {
    const answer = await emit('join-staff-room', null)
    // Without the right there is nothing to wait for.
    if (!answer.ok && answer.code !== 'FORBIDDEN') retry(null, answer.code)
  }
  function retry(room: string | null, code: string) {
    // Without a connection, the next one joins all.
    if (code === 'NOT_CONNECTED') return
    if (missed.size === 0) clock.after(joinAgainMs, joinMissed)
    missed.add(room)
  }
  function joinMissed() {
    const left = [...missed]
    missed.clear()
    for (const room of left)
      if (room === null) followStaff()
      else if (macs.has(room)) void joinNow(room)
  }
  function followStaff() {
    if (isStaff) void joinStaff()
  }

  return {
    /** Rejoins all rooms, for the signed-in person if there is one. Returns whether the server acknowledged every board. */
    joinAll: async (user: string | null): Promise<boolean> => {
      if (user !== null) void emit('join-user-room', user)
      missed.clear()
      followStaff()
      const isAnswered = await Promise.all([...macs].map(joinNow))
      return isAnswered.every(Boolean)
    },
    /** Follows a board from now on; idempotent. */
    join: (mac: string) => {
      if (macs.has(mac)) return
      macs.add(mac)
      void joinNow(mac)
    },
    /** Stops following a board that was removed. */
    leave: (mac: string) => void macs.delete(mac),
    /**
     * Joins the staff room, with events of all boards, rollouts and counts. When the right ends, the server removes the
     * person.
     */
    followFleet: (mayFollow: boolean) => {
      if (mayFollow === isStaff) return
      isStaff = mayFollow
      followStaff()
    },
    /** Returns the undo function. */
    onSnapshot: (listener: (snapshot: DeviceSnapshot) => void) => {
      snapshotListeners.add(listener)
      return () => void snapshotListeners.delete(listener)
    },
    /** Clears all rooms after a sign-out; listeners stay. */
    forget: () => {
      isStaff = false
      macs.clear()
    }
  }
}
