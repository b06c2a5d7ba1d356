import { clearAllActionLogs, clearMyActionLogs, deleteActionLog, listActionLogs, listOnTimes } from '@batti/contracts'
import type { Audit, AuditSubject } from '../../platform/audit.ts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import type { ActionLogsService } from './action-logs.service.ts'
import type { OnTimesService } from './on-times.service.ts'

export function actionLogRoutes(parts: {
  actionLogs: ActionLogsService
  onTimes: OnTimesService
  audit: Audit
  find(id: string): Promise<AuditSubject | null>
}): RouteHandler[] {
  const { actionLogs, onTimes, audit, find } = parts
  const kind = 'action-log'
  const clear = { action: 'action-log.clear', kind } as const
  return [
    on(listActionLogs, ({ actor, query, http }) => actionLogs.list(actor, query, () => !http.res.destroyed)),
    on(deleteActionLog, async (call) => {
      const { actor, params } = call
      const write = { action: 'action-log.delete', kind, id: params.id, find } as const
      await audit(call, write, () => actionLogs.remove(actor, params.id))
    }),
    on(clearMyActionLogs, async (call) => {
      if (!(await actionLogs.hasRows(call.actor.userId))) return { deleted: 0 }
      const run = await audit(call, { ...clear, label: 'Own logs' }, () => actionLogs.clearMine(call.actor))
      return run()
    }),
    on(clearAllActionLogs, async (call) => {
      if (!(await actionLogs.hasRows('all'))) return { deleted: 0 }
      const run = await audit(call, { ...clear, label: 'All logs' }, () => actionLogs.clearAll())
      return run()
    }),
    on(listOnTimes, ({ actor, query }) => onTimes.list(actor, query))
  ]
}
