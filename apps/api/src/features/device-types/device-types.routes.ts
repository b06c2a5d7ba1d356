import { createDeviceType, deleteDeviceType, getDeviceType, listDeviceTypes, updateDeviceType } from '@batti/contracts'
import type { Audit, AuditSubject } from '../../platform/audit.ts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import type { DeviceTypesService } from './device-types.service.ts'

export function deviceTypeRoutes(deps: {
  deviceTypes: DeviceTypesService
  audit: Audit
  find(id: string): Promise<AuditSubject | null>
}): RouteHandler[] {
  const { deviceTypes, audit, find } = deps
  const kind = 'device-type'
  return [
    on(listDeviceTypes, ({ query }) => deviceTypes.list(query)),
    on(getDeviceType, ({ params }) => deviceTypes.get(params.id)),
    on(
      createDeviceType,
      async (call) => {
        const picture = await call.file?.decode?.()
        return audit(call, { action: 'device-type.create', kind, find }, () => deviceTypes.create(call.body, picture))
      },
      { upload: 'image' }
    ),
    on(
      updateDeviceType,
      async (call) => {
        const { params, body, file } = call
        const picture = await file?.decode?.()
        const write = { action: 'device-type.update', kind, id: params.id, find } as const
        return audit(call, write, () => deviceTypes.update(params.id, body, picture))
      },
      { upload: 'image' }
    ),
    on(deleteDeviceType, async (call) => {
      const { id } = call.params
      await audit(call, { action: 'device-type.delete', kind, id, find }, () => deviceTypes.remove(id))
    })
  ]
}
