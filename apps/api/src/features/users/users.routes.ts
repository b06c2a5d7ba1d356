import { createUser, deleteUser, getUser, listUsers, listUserSessions, updateUser } from '@batti/contracts'
import type { Actor } from '../../platform/people/actor.ts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import type { UsersService } from './users.service.ts'

export function userRoutes({ users }: { users: UsersService }): RouteHandler[] {
  return [
    on(listUsers, (call) => users.list(call.actor, call.query)),
    on(getUser, (call) => users.get(call.actor, call.params.id)),
    on(listUserSessions, async (call) => ({ sessions: await users.listSessions(call.params.id) })),
    on(createUser, (call) => users.create(call.body, actingStaff(call))),
    on(updateUser, (call) => users.change(call.params.id, call.body, actingStaff(call))),
    on(deleteUser, async (call) => {
      await users.remove(call.params.id, actingStaff(call))
      return undefined
    })
  ]
}

const actingStaff = ({ actor, ip, requestId }: { actor: Actor; ip: string; requestId: string }) => ({
  userId: actor.userId,
  ip,
  requestId
})
