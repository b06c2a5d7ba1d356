import {
  deleteUnauthorizedLog,
  getUnauthorizedLogImpact,
  listUnauthorizedLogs,
  updateUnauthorizedLog
} from '@batti/contracts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import type { UnauthorizedLogsService } from './unauthorized-logs.service.ts'

export function unauthorizedLogRoutes({ logs }: { logs: UnauthorizedLogsService }): RouteHandler[] {
  return [
    on(listUnauthorizedLogs, (call) => logs.list(call.query)),
    on(getUnauthorizedLogImpact, ({ params }) => logs.impact(params.id)),
    on(updateUnauthorizedLog, ({ params, body, actor, ip, requestId }) =>
      logs.setBlocked(params.id, body, { userId: actor.userId, ip, requestId })
    ),
    on(deleteUnauthorizedLog, async ({ params, actor, ip, requestId }) => {
      await logs.remove(params.id, { userId: actor.userId, ip, requestId })
      return undefined
    })
  ]
}
