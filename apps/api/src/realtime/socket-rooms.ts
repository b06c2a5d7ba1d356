import type { ClientEventAnswer, RefusedAck } from '@batti/contracts'
import type { Actor } from '../platform/people/actor.ts'
import { forbidden, notFound, tryAgainAfter } from '../platform/app-error.ts'
import type { DeviceDirectory } from '../boards/registry/device-directory.ts'
import type { LiveDevice } from '../boards/registry/live-device.ts'
import { deviceRoom, snapshotOf, staffRoom, userRoom } from './device-events.ts'
import { acknowledgement, parsePayload, type EventPayload, type RefuseEvent } from './socket-answers.ts'
import type { BattiSocket } from '../platform/sockets.ts'

export interface SocketRoomsOptions {
  directory: DeviceDirectory
  maySee(actor: Actor, device: LiveDevice): boolean
  /** True for admins, and for monitors who may see all boards. */
  maySeeFleet(actor: Actor): boolean
  refuse: RefuseEvent
}

type JoinEvent = 'join-user-room' | 'join-user-device-room' | 'join-staff-room'

/** Handles the join events. A room that is not the caller's is answered exactly like one that does not exist. */
export function createSocketRooms(options: SocketRoomsOptions) {
  return function listen(socket: BattiSocket): void {
    const { actor } = socket.data
    void socket.join(userRoom(actor.userId))

    function on<Event extends JoinEvent>(
      event: Event,
      enter: (payload: EventPayload<Event>) => Promise<ClientEventAnswer<Event>>
    ): void {
      socket.on<string>(event, async (...args: unknown[]) => {
        const ack = acknowledgement<ClientEventAnswer<Event> | RefusedAck>(args)
        try {
          if (!socket.data.limits.mayJoin()) throw tryAgainAfter(10)
          ack(await enter(parsePayload(event, args[0])))
        } catch (error) {
          options.refuse(socket, event, { error, ack })
        }
      })
    }

    on('join-user-room', async (userId) => {
      // The server has already joined the room of the token's account; this only checks that the client means the same one.
      if (userId !== socket.data.actor.userId) throw notFound('Room')
      return { ok: true }
    })
    on('join-staff-room', async () => {
      if (!options.maySeeFleet(socket.data.actor)) throw forbidden()
      await socket.join(staffRoom)
      return { ok: true }
    })
    on('join-user-device-room', async (mac) => {
      const device = await options.directory.findByMac(mac)
      if (device === null || !options.maySee(socket.data.actor, device)) throw notFound('Device')
      await socket.join(deviceRoom(device.mac))
      // Read after joining: a change in between is then in the snapshot or arrives as an event, never in neither.
      return { ok: true, device: snapshotOf(device) }
    })
  }
}
