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
  /** Boards to be joined again: they may look live, but nothing is heard of them. */
  const missed = new Set<string>()
  const snapshotListeners = new Set<(snapshot: DeviceSnapshot) => void>()
  let isStaff = false

  /** Returns whether the server acknowledged. */
  async function joinNow(mac: string): Promise<boolean> {
    const answer = await emit('join-user-device-room', mac)
    if (answer.ok) for (const listener of snapshotListeners) listener(answer.device)
    else if (answer.code === 'NOT_FOUND') macs.delete(mac)
    // Without a connection, the next one joins all.
    else if (answer.code !== 'NOT_CONNECTED') joinLater(mac)
    return answer.ok || answer.code !== 'NO_ACK'
  }
  function joinLater(mac: string) {
    if (missed.size === 0) clock.after(joinAgainMs, joinMissed)
    missed.add(mac)
  }
  function joinMissed() {
    const left = [...missed].filter((mac) => macs.has(mac))
    missed.clear()
    for (const mac of left) void joinNow(mac)
  }

  return {
    /** Rejoins all rooms, for the signed-in person if there is one. Returns whether the server acknowledged every board. */
    joinAll: async (user: string | null): Promise<boolean> => {
      if (user !== null) void emit('join-user-room', user)
      if (isStaff) void emit('join-staff-room', null)
      missed.clear()
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
      if (isStaff) void emit('join-staff-room', null)
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
