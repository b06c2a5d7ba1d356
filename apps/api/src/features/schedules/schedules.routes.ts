import {
  createSchedule,
  deleteSchedule,
  listSchedules,
  previewSchedule,
  replaceSchedule,
  toggleSchedule,
  updateSchedule
} from '@batti/contracts'
import type { Audit, AuditSubject } from '../../platform/audit.ts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import type { SchedulesService } from './schedules.service.ts'

export function scheduleRoutes(deps: {
  schedules: SchedulesService
  audit: Audit
  find(id: string): Promise<AuditSubject | null>
}): RouteHandler[] {
  const { schedules, audit, find } = deps
  const kind = 'schedule'
  const update = (id: string) => ({ action: 'schedule.update', kind, id, find }) as const
  return [
    on(listSchedules, ({ actor, query }) => schedules.list(actor, query)),
    on(createSchedule, (call) =>
      audit(call, { action: 'schedule.create', kind, find }, () => schedules.create(call.actor, call.body))
    ),
    on(previewSchedule, ({ actor, body }) => schedules.preview(actor, body)),
    on(toggleSchedule, (call) => {
      const { actor, params, body } = call
      return audit(call, update(params.id), () => schedules.toggle(actor, params.id, body?.isActive))
    }),
    on(updateSchedule, (call) => {
      const { actor, params, body } = call
      return audit(call, update(params.id), () => schedules.update(actor, params.id, body))
    }),
    on(replaceSchedule, (call) => {
      const { actor, params, body } = call
      return audit(call, update(params.id), () => schedules.replace(actor, params.id, body))
    }),
    on(deleteSchedule, async (call) => {
      const { actor, params } = call
      const write = { action: 'schedule.delete', kind, id: params.id, find } as const
      await audit(call, write, () => schedules.remove(actor, params.id))
    })
  ]
}
