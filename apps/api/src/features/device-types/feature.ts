import type { Boards } from '../../boards/boards.ts'
import { auditSubject, type Audit } from '../../platform/audit.ts'
import { imageUrlOf } from '../../platform/http/uploads/files-page.ts'
import type { Platform } from '../../platform/platform.ts'
import { ensureIndexes } from '../../platform/store/ensure-indexes.ts'
import { createDeviceTypeModel, type DeviceTypeDocument } from './device-type.model.ts'
import { createDeviceTypesRepository } from './device-types.repository.ts'
import { deviceTypeRoutes } from './device-types.routes.ts'
import { createDeviceTypesService } from './device-types.service.ts'

interface DeviceTypesDeps extends Pick<Platform, 'connection' | 'storeImage' | 'removeImage'> {
  audit: Audit
  boards: Pick<Boards, 'models'>
}

/** The device types, and the layout of their outlets. */
export function createDeviceTypesFeature({ connection, storeImage, removeImage, audit, boards }: DeviceTypesDeps) {
  const model = createDeviceTypeModel(connection)
  const repository = createDeviceTypesRepository(model)
  const deviceTypes = createDeviceTypesService({
    deviceTypes: repository,
    countDevicesOfType: (deviceCode, hwModel) => boards.models.devices.countDocuments({ deviceCode, hwModel }),
    storeImage: async (picture) => imageUrlOf(await storeImage(picture)),
    removeImage
  })

  return {
    routes: deviceTypeRoutes({
      deviceTypes,
      audit,
      find: auditSubject(
        (id) => model.findById(id).lean<DeviceTypeDocument>(),
        (type) => type.deviceName,
        ['usedRev']
      )
    }),
    findByCodes: repository.findByCodes,
    findByCodeAndModel: repository.findByCodeAndModel,
    claim: repository.claim,
    isKnownModel: async (hwModel: string): Promise<boolean> => (await model.exists({ hwModel })) !== null,
    count: repository.count,
    indexes: () => ensureIndexes(model),
    start: repository.seedWhenEmpty
  }
}
