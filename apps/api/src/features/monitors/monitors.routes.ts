import { createMonitor, deleteMonitor, listMonitors, updateMonitor } from '@batti/contracts'
import type { Audit, AuditSubject } from '../../platform/audit.ts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import { actingPerson } from '../../platform/people/account-directory.ts'
import type { MonitorsService } from './monitors.service.ts'

export function monitorRoutes(deps: {
  monitors: MonitorsService
  audit: Audit
  find(id: string): Promise<AuditSubject | null>
}): RouteHandler[] {
  const { monitors, audit, find } = deps
  const kind = 'monitor'
  return [
    on(listMonitors, (call) => monitors.list(call.query)),
    on(createMonitor, (call) =>
      audit(call, { action: 'monitor.create', kind, find }, () => monitors.create(call.body, actingPerson(call)))
    ),
    on(updateMonitor, (call) => {
      const { id } = call.params
      const write = { action: 'monitor.update', kind, id, find } as const
      return audit(call, write, () => monitors.replace(id, call.body, actingPerson(call)))
    }),
    on(deleteMonitor, async (call) => {
      const { id } = call.params
      const write = { action: 'monitor.delete', kind, id, find } as const
      const erase = await audit(call, write, () => monitors.remove(id, actingPerson(call)))
      await erase()
    })
  ]
}
