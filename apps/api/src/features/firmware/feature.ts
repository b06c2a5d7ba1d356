import type { BoardModels } from '../../boards/board-models.ts'
import { auditSubject, type Audit } from '../../platform/audit.ts'
import { systemClock } from '@batti/kit/clock'
import type { Call } from '../../platform/http/call.ts'
import type { Platform } from '../../platform/platform.ts'
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

interface FirmwareDeps extends Pick<Platform, 'config' | 'connection' | 'clock' | 'events' | 'log' | 'keys' | 'files'> {
  audit: Audit
  isKnownModel(hwModel: string): Promise<boolean>
  boards: { models: Pick<BoardModels, 'devices'> }
}

const nameOf = ({ filename }: { filename: string }): string => filename

/** Key changes must take effect within 5 s, even if nobody requests them in that time. */
const keysEveryMs = 2500

/** Firmware images: what staff manage, and what boards get. */
export function createFirmwareFeature(deps: FirmwareDeps) {
  const { config, connection, clock, log, files: storage } = deps
  const model = createFirmwareFileModel(connection)
  const files = createFirmwareFilesRepository(model)
  const links = createFileLinks(deps.keys)
  const onChanged = (): void => deps.events.emit('firmware-changed', {})
  const keys = createTrustedKeys({ files: config.FIRMWARE_TRUSTED_KEYS, clock, log, onChanged })
  let timer: NodeJS.Timeout | undefined
  const firmware = createFirmwareFilesService({
    files,
    storage,
    keys,
    links,
    clock,
    isKnownModel: deps.isKnownModel,
    countBoards: ({ version, hwModel }) =>
      deps.boards.models.devices.countDocuments({ osVersion: version, ...(hwModel === null ? {} : { hwModel }) }),
    isInUse: (fileId) => isInUse(fileId),
    onChanged,
    onLeftBehind: (error) => log.warn({ err: error }, 'the bytes of a firmware file could not be removed')
  })
  let isInUse = (_fileId: string): Promise<boolean> => Promise.resolve(false)
  const baseOf = ({ http: { req } }: Pick<Call, 'http'>): string =>
    config.PUBLIC_URL ?? `${req.protocol}://${req.host ?? ''}`

  return {
    routes: firmwareFileRoutes({
      firmware,
      audit: deps.audit,
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
