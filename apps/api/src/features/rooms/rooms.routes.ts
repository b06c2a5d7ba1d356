import { createRoom, deleteRoom, listRooms, replaceRoom, updateRoom } from '@batti/contracts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import type { RoomsService } from './rooms.service.ts'

export function roomRoutes({ rooms }: { rooms: RoomsService }): RouteHandler[] {
  return [
    on(listRooms, ({ actor, query }) => rooms.list(actor, query)),
    on(createRoom, ({ actor, body }) => rooms.create(actor, body)),
    on(updateRoom, ({ actor, params, body }) => rooms.rename(actor, params.id, body)),
    on(replaceRoom, ({ actor, params, body }) => rooms.rename(actor, params.id, body)),
    on(deleteRoom, async ({ actor, params, query }) => {
      await rooms.remove(actor, params.id, query.moveTo)
    })
  ]
}
