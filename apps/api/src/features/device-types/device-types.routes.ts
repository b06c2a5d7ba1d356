import { createDeviceType, deleteDeviceType, getDeviceType, listDeviceTypes, updateDeviceType } from '@batti/contracts'
import { on, type RouteHandler, type UploadedFile } from '../../platform/http/call.ts'
import type { DeviceTypesService } from './device-types.service.ts'

export function deviceTypeRoutes({ deviceTypes }: { deviceTypes: DeviceTypesService<UploadedFile> }): RouteHandler[] {
  return [
    on(listDeviceTypes, ({ query }) => deviceTypes.list(query)),
    on(getDeviceType, ({ params }) => deviceTypes.get(params.id)),
    on(createDeviceType, ({ body, file }) => deviceTypes.create(body, file), { upload: 'image' }),
    on(updateDeviceType, ({ params, body, file }) => deviceTypes.update(params.id, body, file), { upload: 'image' }),
    on(deleteDeviceType, async ({ params }) => {
      await deviceTypes.remove(params.id)
    })
  ]
}
