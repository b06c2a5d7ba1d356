import { createDevice, deleteDevice, getDevice, listDevices, listDevicesByRoom, updateDevice } from '@batti/contracts'
import { on, type RouteHandler } from '../../platform/http/call.ts'
import type { DevicesService } from './devices.service.ts'

export function deviceRoutes({ devices }: { devices: DevicesService }): RouteHandler[] {
  return [
    on(listDevices, ({ actor, query }) => devices.list(actor, query)),
    on(listDevicesByRoom, ({ actor, params, query }) => devices.listByRoom(actor, params.roomId, query)),
    on(getDevice, ({ actor, params }) => devices.get(actor, params.id)),
    on(createDevice, ({ actor, body }) => devices.create(actor, body)),
    on(updateDevice, ({ actor, params, body }) => devices.update(actor, params.id, body)),
    on(deleteDevice, ({ actor, params }) => devices.remove(actor, params.id))
  ]
}
