import type { DeviceSnapshot } from '@batti/contracts'
import type { Emit } from './emit.ts'

/**
 * The rooms that this tab is to be in: its person's, each board's that it follows, and the staff's. The server forgets them
 * with each connection; the answer to a board's room is its snapshot.
 */
export function createRooms(emit: Emit) {
  const macs = new Set<string>()
  const snapshotListeners = new Set<(snapshot: DeviceSnapshot) => void>()
  let isStaff = false

  /** Whether the server answered. */
  async function joinNow(mac: string): Promise<boolean> {
    const answer = await emit('join-user-device-room', mac)
    if (answer.ok) for (const listener of snapshotListeners) listener(answer.device)
    else if (answer.code === 'NOT_FOUND') macs.delete(mac)
    return answer.ok || answer.code !== 'NO_ACK'
  }

  return {
    /** All rooms and snapshots anew, for the signed-in person where there is one. Whether the server answered for every board. */
    joinAll: async (user: string | null): Promise<boolean> => {
      if (user !== null) void emit('join-user-room', user)
      if (isStaff) void emit('join-staff-room', null)
      const isAnswered = await Promise.all([...macs].map(joinNow))
      return isAnswered.every(Boolean)
    },
    /** Follows a board from now on: once per MAC, again after each reconnection. */
    join: (mac: string) => {
      if (macs.has(mac)) return
      macs.add(mac)
      void joinNow(mac)
    },
    /** The board is gone: nothing of it is asked for again. */
    leave: (mac: string) => void macs.delete(mac),
    /** Whether this person hears of all boards, rollouts and counts. The server leaves the room by itself when it ends. */
    followFleet: (mayFollow: boolean) => {
      if (mayFollow === isStaff) return
      isStaff = mayFollow
      if (isStaff) void emit('join-staff-room', null)
    },
    /** Answers the undo. */
    onSnapshot: (listener: (snapshot: DeviceSnapshot) => void) => {
      snapshotListeners.add(listener)
      return () => void snapshotListeners.delete(listener)
    },
    /** Nobody is signed in any more. Listeners stay. */
    forget: () => {
      isStaff = false
      macs.clear()
    }
  }
}
