import { clearAllActionLogs, clearMyActionLogs, deleteActionLog, listActionLogs, listOnTimes } from '@batti/contracts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import type { ActionLogsService } from './action-logs.service.ts'
import type { OnTimesService } from './on-times.service.ts'

export function actionLogRoutes(parts: { actionLogs: ActionLogsService; onTimes: OnTimesService }): RouteHandler[] {
  const { actionLogs, onTimes } = parts
  return [
    on(listActionLogs, ({ actor, query }) => actionLogs.list(actor, query)),
    on(deleteActionLog, async ({ actor, params }) => {
      await actionLogs.remove(actor, params.id)
    }),
    on(clearMyActionLogs, ({ actor }) => actionLogs.clearMine(actor)),
    on(clearAllActionLogs, ({ actor }) => actionLogs.clearAll(actor)),
    on(listOnTimes, ({ actor, query }) => onTimes.list(actor, query))
  ]
}
