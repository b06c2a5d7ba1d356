import {
  deleteUnauthorizedLog,
  getUnauthorizedLogImpact,
  listUnauthorizedLogs,
  updateUnauthorizedLog
} from '@batti/contracts'
import type { Audit, AuditSubject } from '../../platform/audit.ts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import { actingPerson } from '../../platform/people/account-directory.ts'
import type { UnauthorizedLogsService } from './unauthorized-logs.service.ts'

export function unauthorizedLogRoutes(deps: {
  logs: UnauthorizedLogsService
  audit: Audit
  find(id: string): Promise<AuditSubject | null>
  findBlock(id: string): Promise<AuditSubject | null>
}): RouteHandler[] {
  const { logs, audit, find, findBlock } = deps
  return [
    on(listUnauthorizedLogs, (call) => logs.list(call.query)),
    on(getUnauthorizedLogImpact, ({ params }) => logs.impact(params.id)),
    on(updateUnauthorizedLog, (call) => {
      const { params, body } = call
      const action = body.blocked ? ('address.block' as const) : ('address.unblock' as const)
      return audit(call, { action, kind: 'address', id: params.id, find: findBlock }, () =>
        logs.setBlocked(params.id, body, actingPerson(call))
      )
    }),
    on(deleteUnauthorizedLog, async (call) => {
      const { params } = call
      const write = { action: 'unauthorized-log.delete', kind: 'unauthorized-log', id: params.id, find } as const
      await audit(call, write, () => logs.remove(params.id, actingPerson(call)))
    })
  ]
}
