import { clientEvents, type DeviceSnapshot, type RefusedAck } from '@batti/contracts'
import type { Actor } from '../platform/people/actor.ts'
import { forbidden, notFound, tryAgainAfter } from '../platform/app-error.ts'
import { toAppError } from '../platform/http/error-handler.ts'
import { parseInput } from '../platform/http/validate.ts'
import type { DeviceDirectory } from '../boards/registry/device-directory.ts'
import type { LiveDevice } from '../boards/registry/live-device.ts'
import { deviceRoom, snapshotOf, staffRoom, userRoom } from './device-events.ts'
import { acknowledgement, type NoteRefusal } from './socket-answers.ts'
import type { BattiSocket } from '../platform/sockets.ts'

export interface SocketRoomsOptions {
  directory: DeviceDirectory
  maySee(actor: Actor, device: LiveDevice): boolean
  /** True for admins, and for monitors who may see all boards. */
  maySeeFleet(actor: Actor): boolean
  onRefused: NoteRefusal
}

/** Handles the join events. A room that is not the caller's is answered exactly like one that does not exist. */
export function createSocketRooms(options: SocketRoomsOptions) {
  return function listen(socket: BattiSocket): void {
    const { actor } = socket.data
    void socket.join(userRoom(actor.userId))

    const join = async <Answer>(
      event: 'join-user-room' | 'join-user-device-room' | 'join-staff-room',
      args: unknown[],
      enter: (payload: unknown) => Promise<Answer>
    ) => {
      const ack = acknowledgement<Answer | RefusedAck>(args)
      try {
        if (!socket.data.limits.mayJoin()) throw tryAgainAfter(10)
        ack(await enter(args[0]))
      } catch (error) {
        const { code, message } = toAppError(error)
        ack({ ok: false, code, message })
        options.onRefused(socket, event, code)
        if (socket.data.limits.isFlooding()) socket.disconnect(true)
      }
    }

    socket.on('join-user-room', (...args: unknown[]) =>
      join('join-user-room', args, async (payload) => {
        // The server has already joined the room of the token's account; this only checks that the client means the same one.
        if (parseInput(clientEvents['join-user-room'], payload) !== socket.data.actor.userId) throw notFound('Room')
        return { ok: true as const }
      })
    )
    socket.on('join-staff-room', (...args: unknown[]) =>
      join('join-staff-room', args, async () => {
        if (!options.maySeeFleet(socket.data.actor)) throw forbidden()
        await socket.join(staffRoom)
        return { ok: true as const }
      })
    )
    socket.on('join-user-device-room', (...args: unknown[]) =>
      join('join-user-device-room', args, async (payload): Promise<{ ok: true; device: DeviceSnapshot }> => {
        const mac = parseInput(clientEvents['join-user-device-room'], payload)
        const device = await options.directory.findByMac(mac)
        if (device === null || !options.maySee(socket.data.actor, device)) throw notFound('Device')
        await socket.join(deviceRoom(device.mac))
        // Read after joining: a change in between is then in the snapshot or arrives as an event, never in neither.
        return { ok: true, device: snapshotOf(device) }
      })
    )
  }
}
