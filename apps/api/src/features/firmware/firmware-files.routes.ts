import { deleteFirmwareFile, listFirmwareFiles, updateFirmwareFile, uploadFirmwareFile } from '@batti/contracts'
import type { Audit, AuditSubject } from '../../platform/audit.ts'
import { on, type Call, type RouteHandler } from '../../platform/http/call.ts'
import type { FirmwareFilesService } from './firmware-files.service.ts'

export interface FirmwareRoutesOptions {
  firmware: FirmwareFilesService
  audit: Audit
  findById(id: string): Promise<AuditSubject | null>
  findByName(filename: string): Promise<AuditSubject | null>
  /** The server's own address as this request reached it. */
  baseOf(call: Pick<Call, 'http'>): string
}

export function firmwareFileRoutes(options: FirmwareRoutesOptions): RouteHandler[] {
  const { firmware, audit, findById, findByName, baseOf } = options
  const kind = 'firmware-file'
  return [
    on(listFirmwareFiles, (call) => firmware.list(call.query, baseOf(call))),
    on(
      uploadFirmwareFile,
      (call) =>
        audit(call, { action: 'firmware-file.create', kind, find: findById }, () =>
          firmware.upload(call.file, { state: call.body.state, userId: call.actor.userId, base: baseOf(call) })
        ),
      { upload: 'firmware' }
    ),
    on(updateFirmwareFile, (call) => {
      const { filename } = call.params
      return audit(call, { action: 'firmware-file.update', kind, id: filename, find: findByName }, () =>
        firmware.update(filename, call.body, baseOf(call))
      )
    }),
    on(deleteFirmwareFile, async (call) => {
      const { filename } = call.params
      await audit(call, { action: 'firmware-file.delete', kind, id: filename, find: findByName }, () =>
        firmware.remove(filename)
      )
    })
  ]
}
