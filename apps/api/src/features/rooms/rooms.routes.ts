import { createRoom, deleteRoom, listRooms, replaceRoom, updateRoom } from '@batti/contracts'
import type { Audit, AuditSubject } from '../../platform/audit.ts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import type { RoomsService } from './rooms.service.ts'

export function roomRoutes(deps: {
  rooms: RoomsService
  audit: Audit
  find(id: string): Promise<AuditSubject | null>
}): RouteHandler[] {
  const { rooms, audit, find } = deps
  const kind = 'room'
  const write = (action: 'room.update' | 'room.delete', id: string) => ({ action, kind, id, find })
  return [
    on(listRooms, ({ actor, query }) => rooms.list(actor, query)),
    on(createRoom, (call) =>
      audit(call, { action: 'room.create', kind, find }, () => rooms.create(call.actor, call.body))
    ),
    ...[updateRoom, replaceRoom].map((route) =>
      on(route, (call) => {
        const { actor, params, body } = call
        return audit(call, write('room.update', params.id), () => rooms.rename(actor, params.id, body))
      })
    ),
    on(deleteRoom, async (call) => {
      const { actor, params, query } = call
      await audit(call, write('room.delete', params.id), () => rooms.remove(actor, params.id, query.moveTo))
    })
  ]
}
