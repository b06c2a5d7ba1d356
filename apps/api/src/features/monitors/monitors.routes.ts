import { createMonitor, deleteMonitor, listMonitors, updateMonitor } from '@batti/contracts'
import type { Actor } from '../../platform/people/actor.ts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import type { MonitorsService } from './monitors.service.ts'

export function monitorRoutes({ monitors }: { monitors: MonitorsService }): RouteHandler[] {
  return [
    on(listMonitors, (call) => monitors.list(call.query)),
    on(createMonitor, (call) => monitors.create(call.body, actingStaff(call))),
    on(updateMonitor, (call) => monitors.replace(call.params.id, call.body, actingStaff(call))),
    on(deleteMonitor, async (call) => {
      await monitors.remove(call.params.id, actingStaff(call))
      return undefined
    })
  ]
}

const actingStaff = ({ actor, ip, requestId }: { actor: Actor; ip: string; requestId: string }) => ({
  userId: actor.userId,
  ip,
  requestId
})
