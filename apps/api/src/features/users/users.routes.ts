import { createUser, deleteUser, getUser, listUsers, listUserSessions, updateUser } from '@batti/contracts'
import type { Audit, AuditSubject } from '../../platform/audit.ts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import { actingPerson } from '../../platform/people/account-directory.ts'
import type { UsersService } from './users.service.ts'

export function userRoutes(deps: {
  users: UsersService
  audit: Audit
  find(id: string): Promise<AuditSubject | null>
}): RouteHandler[] {
  const { users, audit, find } = deps
  const kind = 'user'
  return [
    on(listUsers, (call) => users.list(call.actor, call.query)),
    on(getUser, (call) => users.get(call.actor, call.params.id)),
    on(listUserSessions, async (call) => ({ sessions: await users.listSessions(call.params.id) })),
    on(createUser, (call) =>
      audit(call, { action: 'user.create', kind, find }, () => users.create(call.body, actingPerson(call)))
    ),
    on(updateUser, (call) => {
      const { id } = call.params
      const write = { action: 'user.update', kind, id, find } as const
      return audit(call, write, () => users.change(id, call.body, actingPerson(call)))
    }),
    on(deleteUser, async (call) => {
      const { id } = call.params
      const write = { action: 'user.delete', kind, id, find } as const
      const erase = await audit(call, write, () => users.remove(id, actingPerson(call)))
      await erase()
    })
  ]
}
