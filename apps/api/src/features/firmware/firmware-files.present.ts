import type { FirmwareFileRecord } from '@batti/contracts'
import type { FirmwareFileDocument } from './firmware-file.model.ts'
import { isWithdrawn, type Trust } from './choose-firmware.ts'

/** `url` is created for each answer. */
export function presentFirmwareFile(file: FirmwareFileDocument, trust: Trust, url: string): FirmwareFileRecord {
  const isSigned = file.keyId !== null && trust.keyIds.has(file.keyId)
  return {
    _id: String(file._id),
    version: file.version,
    filename: file.filename,
    url,
    size: file.size,
    sha256: file.sha256,
    hwModel: file.hwModel,
    signed: isSigned,
    keyId: file.keyId,
    secureVersion: file.secureVersion,
    state: file.state,
    from: file.from === null ? null : { min: file.from.min },
    withdrawn: isWithdrawn(file, trust),
    uploadedBy: file.uploadedBy === null ? null : String(file.uploadedBy),
    createdAt: file.createdAt.toISOString()
  }
}
