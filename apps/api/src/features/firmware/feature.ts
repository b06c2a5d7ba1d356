import type { Connection, Model } from 'mongoose'
import type { Logger } from 'pino'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import { auditSubject, type Audit } from '../../platform/audit.ts'
import { systemClock, type Clock } from '@batti/kit/clock'
import type { Config } from '../../platform/config.ts'
import type { EventBus } from '../../platform/events.ts'
import type { Call } from '../../platform/http/call.ts'
import type { FileStore } from '../../platform/store/files/files.ts'
import { createServerKeys } from '../../platform/store/server-keys.ts'
import { ensureIndexes } from '../../platform/store/ensure-indexes.ts'
import { createBoardFirmware } from './board-firmware.ts'
import { downloadPage } from './download.page.ts'
import { createFileLinks } from './file-links.ts'
import { createFirmwareFileModel } from './firmware-file.model.ts'
import { createFirmwareFilesRepository } from './firmware-files.repository.ts'
import { firmwareFileRoutes } from './firmware-files.routes.ts'
import { createFirmwareFilesService } from './firmware-files.service.ts'
import { createDownloadThrottle } from './throttle-downloads.ts'
import { createTrustedKeys } from './trusted-keys.ts'

export interface FirmwareNeeds {
  config: Config
  connection: Connection
  clock: Clock
  events: EventBus
  log: Logger
  storage: FileStore
  audit: Audit
  isKnownModel(hwModel: string): Promise<boolean>
  boards: { models: { devices: Model<DeviceDocument> } }
}

const nameOf = ({ filename }: { filename: string }): string => filename

/** Key changes must take effect within 5 s, even if nobody requests them in that time. */
const keysEveryMs = 2500

/** Firmware images: what staff manage, and what boards get. */
export function createFirmwareFeature(needs: FirmwareNeeds) {
  const { config, connection, clock, log, storage } = needs
  const model = createFirmwareFileModel(connection)
  const files = createFirmwareFilesRepository(model)
  const links = createFileLinks(createServerKeys(config.JWT_SECRET, config.JWT_SECRET_PREVIOUS))
  const onChanged = (): void => needs.events.emit('firmware-changed', {})
  const keys = createTrustedKeys({ files: config.FIRMWARE_TRUSTED_KEYS, clock, log, onChanged })
  let timer: NodeJS.Timeout | undefined
  const firmware = createFirmwareFilesService({
    files,
    storage,
    keys,
    links,
    clock,
    isKnownModel: needs.isKnownModel,
    countBoards: ({ version, hwModel }) =>
      needs.boards.models.devices.countDocuments({ osVersion: version, ...(hwModel === null ? {} : { hwModel }) }),
    isInUse: (fileId) => isInUse(fileId),
    onChanged,
    onLeftBehind: (error) => log.warn({ err: error }, 'the bytes of a firmware file could not be removed')
  })
  let isInUse = (_fileId: string): Promise<boolean> => Promise.resolve(false)
  const baseOf = ({ http: { req } }: Pick<Call, 'http'>): string =>
    config.PUBLIC_URL?.replace(/\/$/, '') ?? `${req.protocol}://${req.headers.host ?? ''}`

  return {
    routes: firmwareFileRoutes({
      firmware,
      audit: needs.audit,
      findById: auditSubject(files.findById, nameOf, ['versionOrder', 'usedRev']),
      async idOfName(filename) {
        const file = await files.findByName(filename)
        return file === null ? {} : { id: String(file._id) }
      },
      baseOf
    }),
    pages: [
      downloadPage({
        files,
        storage,
        links,
        clock,
        throttle: createDownloadThrottle(systemClock),
        onMissing: (filename) => log.error({ filename }, 'the bytes of a firmware file are not in the storage')
      })
    ],
    ...createBoardFirmware({ files, keys, links, clock }),
    claimImage: files.claim,
    /** Registers a check whether a file is being sent: it cannot be deleted meanwhile. */
    keepWhile: (check: typeof isInUse): void => void (isInUse = check),
    indexes: () => ensureIndexes(model),
    start(): void {
      if (keys.isRequired) timer = setInterval(keys.current, keysEveryMs).unref()
    },
    stop: (): void => clearInterval(timer)
  }
}
