import { deleteFirmwareFile, listFirmwareFiles, updateFirmwareFile, uploadFirmwareFile } from '@batti/contracts'
import { on, type Call, type RouteHandler } from '../../platform/http/call.ts'
import type { FirmwareFilesService } from './firmware-files.service.ts'

export interface FirmwareRoutesOptions {
  firmware: FirmwareFilesService
  /** The server's own address as this request reached it. */
  baseOf(call: Pick<Call, 'http'>): string
}

export function firmwareFileRoutes({ firmware, baseOf }: FirmwareRoutesOptions): RouteHandler[] {
  return [
    on(listFirmwareFiles, (call) => firmware.list(call.query, baseOf(call))),
    on(
      uploadFirmwareFile,
      (call) => firmware.upload(call.file, { state: call.body.state, userId: call.actor.userId, base: baseOf(call) }),
      { upload: 'firmware' }
    ),
    on(updateFirmwareFile, (call) => firmware.update(call.params.filename, call.body, baseOf(call))),
    on(deleteFirmwareFile, async ({ params }) => {
      await firmware.remove(params.filename)
    })
  ]
}
