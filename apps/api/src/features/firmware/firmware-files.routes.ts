import { deleteFirmwareFile, listFirmwareFiles, updateFirmwareFile, uploadFirmwareFile } from '@batti/contracts'
import type { Audit, AuditSubject } from '../../platform/audit.ts'
import { on, type Call, type RouteHandler } from '../../platform/http/call.ts'
import type { FirmwareFilesService } from './firmware-files.service.ts'

export interface FirmwareRoutesOptions {
  firmware: FirmwareFilesService
  audit: Audit
  findById(id: string): Promise<AuditSubject | null>
  idOfName(filename: string): Promise<{ id?: string }>
  /** Returns the server's own address as used by this request. */
  baseOf(call: Pick<Call, 'http'>): string
}

export function firmwareFileRoutes(options: FirmwareRoutesOptions): RouteHandler[] {
  const { firmware, audit, findById: find, idOfName, baseOf } = options
  const kind = 'firmware-file'
  return [
    on(listFirmwareFiles, (call) => firmware.list(call.query, baseOf(call))),
    on(
      uploadFirmwareFile,
      (call) =>
        firmware.upload(call.file, (stored) =>
          audit(call, { action: 'firmware-file.create', kind, find }, () =>
            firmware.record(stored, { state: call.body.state, userId: call.actor.userId, base: baseOf(call) })
          )
        ),
      { upload: 'firmware' }
    ),
    on(updateFirmwareFile, async (call) => {
      const { filename } = call.params
      const record = { kind, find, ...(await idOfName(filename)) }
      return audit(call, { action: 'firmware-file.update', ...record }, () =>
        firmware.update(filename, call.body, baseOf(call))
      )
    }),
    on(deleteFirmwareFile, async (call) => {
      const { filename } = call.params
      const record = { kind, find, ...(await idOfName(filename)) }
      await audit(call, { action: 'firmware-file.delete', ...record }, () => firmware.remove(filename))
    })
  ]
}
