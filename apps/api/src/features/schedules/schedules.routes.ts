import {
  createSchedule,
  deleteSchedule,
  listSchedules,
  previewSchedule,
  replaceSchedule,
  toggleSchedule,
  updateSchedule
} from '@batti/contracts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import type { SchedulesService } from './schedules.service.ts'

export function scheduleRoutes({ schedules }: { schedules: SchedulesService }): RouteHandler[] {
  return [
    on(listSchedules, ({ actor, query }) => schedules.list(actor, query)),
    on(createSchedule, ({ actor, body }) => schedules.create(actor, body)),
    on(previewSchedule, ({ actor, body }) => schedules.preview(actor, body)),
    on(toggleSchedule, ({ actor, params }) => schedules.toggle(actor, params.id)),
    on(updateSchedule, ({ actor, params, body }) => schedules.update(actor, params.id, body)),
    on(replaceSchedule, ({ actor, params, body }) => schedules.replace(actor, params.id, body)),
    on(deleteSchedule, async ({ actor, params }) => {
      await schedules.remove(actor, params.id)
    })
  ]
}
