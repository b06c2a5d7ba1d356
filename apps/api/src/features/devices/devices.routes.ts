import { createDevice, deleteDevice, getDevice, listDevices, listDevicesByRoom, updateDevice } from '@batti/contracts'
import type { Audit, AuditSubject } from '../../platform/audit.ts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import type { DevicesService } from './devices.service.ts'

export function deviceRoutes(deps: {
  devices: DevicesService
  audit: Audit
  find(id: string): Promise<AuditSubject | null>
}): RouteHandler[] {
  const { devices, audit, find } = deps
  const kind = 'device'
  return [
    on(listDevices, ({ actor, query }) => devices.list(actor, query)),
    on(listDevicesByRoom, ({ actor, params, query }) => devices.listByRoom(actor, params.roomId, query)),
    on(getDevice, ({ actor, params }) => devices.get(actor, params.id)),
    on(createDevice, (call) =>
      audit(call, { action: 'device.create', kind, find }, () => devices.create(call.actor, call.body))
    ),
    on(updateDevice, (call) => {
      const { actor, params, body } = call
      const action = (before: AuditSubject | null, after: AuditSubject | null) =>
        String(before?.fields['userId']) === String(after?.fields['userId']) ? 'device.update' : 'device.move'
      return audit(call, { action, kind, id: params.id, find }, () => devices.update(actor, params.id, body))
    }),
    on(deleteDevice, async (call) => {
      const { actor, params } = call
      const write = { action: 'device.delete', kind, id: params.id, find } as const
      await audit(call, write, () => devices.remove(actor, params.id))
    })
  ]
}
