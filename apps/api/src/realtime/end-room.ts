import type { BattiServer } from '../platform/sockets.ts'
import { deviceRoom } from './device-events.ts'

/**
 * Tells the screens of a board, and those in the room `also`, that it is gone. Each is told by itself before it leaves: what is
 * sent to a room may be sent only after this turn, as MongoDB's adapter does.
 */
export function endRoom(
  io: Pick<BattiServer, 'sockets'>,
  removed: { deviceMac: string; reason: 'deleted' | 'moved' },
  also?: string
): void {
  const room = deviceRoom(removed.deviceMac)
  for (const socket of io.sockets.sockets.values()) {
    const isIn = socket.rooms.has(room)
    if (isIn || (also !== undefined && socket.rooms.has(also))) socket.emit('device-removed', removed)
    if (isIn) void socket.leave(room)
  }
}
