import type { DeviceFirmware, ExcludedReason, FirmwareChoice } from '@batti/contracts'
import { AppError, conflict, notFound } from '../../platform/app-error.ts'
import type { Board, BoardsRepository } from './boards.repository.ts'
import { isPinned } from './plan/choose-boards.ts'
import type { RolloutsService } from './rollouts.service.ts'
import type { RolloutImage } from './rollouts.options.ts'
import type { TargetsRepository } from './targets/targets.repository.ts'

export interface DeviceUpdatesOptions {
  rollouts: Pick<RolloutsService, 'startSingle'>
  targets: Pick<TargetsRepository, 'findInHandOf' | 'findOpenOf'>
  boards: Pick<BoardsRepository, 'findById' | 'findByMac'>
  /** @throws AppError NOT_FOUND. */
  findImage(fileName: string): Promise<RolloutImage>
  choicesFor(board: Pick<Board, 'hwModel' | 'osVersion'>): Promise<FirmwareChoice[]>
  /** Whether the board is online, as pages show it. */
  isOnline(deviceId: string): Promise<boolean>
  now(): number
}

function refused(reason: ExcludedReason): AppError {
  if (reason === 'wrong-model') return conflict('This image is for another kind of board.')
  if (reason === 'older-secure-version') return conflict('This image is older than the security of this board allows.')
  return conflict(reason === 'withdrawn' ? 'This image is withdrawn.' : 'This board may not take that image.')
}

/** The manual update of a single board. */
export function createDeviceUpdatesService(options: DeviceUpdatesOptions) {
  const { targets, boards } = options

  return {
    /** GET /update-device-firmware: returns the images that this board may get, newest first. */
    async choices(query: { deviceId?: string | undefined; deviceMac?: string | undefined }): Promise<FirmwareChoice[]> {
      const board =
        query.deviceId === undefined
          ? await boards.findByMac(query.deviceMac ?? '')
          : await boards.findById(query.deviceId)
      if (board === null) throw notFound('Device')
      return options.choicesFor(board)
    },

    /** POST /update-device-firmware. @throws NOT_FOUND, DEVICE_OFFLINE, CONFLICT where the board may not get it now. */
    async start(deviceId: string, fileName: string, userId: string): Promise<{ id: string }> {
      const board = await boards.findById(deviceId)
      if (board === null) throw notFound('Device')
      const image = await options.findImage(fileName)
      const open = await targets.findOpenOf(deviceId)
      if (open.some(({ isSingle, phase }) => isSingle === true || phase !== 'waiting'))
        throw conflict('An update of this board is under way. Wait until it has ended.')
      if (image.blockedBy !== null) throw conflict(image.blockedBy)
      const refusal = image.refusalOf(board)
      if (refusal !== null) throw refused(refusal)
      if (board.osVersion === image.version) throw conflict(`This board runs version ${image.version} already.`)
      if (isPinned(board, options.now()))
        throw conflict(`This board is pinned to version ${board.pinnedVersion?.version ?? ''}. Unpin it first.`)
      if (!image.isReachable(board))
        throw conflict('This board must pass through another version first, and none is released.')
      if (!(await options.isOnline(deviceId)))
        throw new AppError('DEVICE_OFFLINE', 'This board is offline. Check its power and Wi-Fi.')
      return options.rollouts.startSingle(board, image, userId)
    },

    /** Returns the updates in progress, for the pages that show them. */
    async ofDevices(deviceIds: readonly string[]): Promise<Map<string, DeviceFirmware>> {
      const found = deviceIds.length === 0 ? [] : await targets.findInHandOf(deviceIds)
      return new Map(
        found.flatMap(({ deviceId, jobId, version, phase, percent }) =>
          version === null ? [] : [[String(deviceId), { id: jobId, version, phase, percent }] as const]
        )
      )
    }
  }
}
export type DeviceUpdatesService = ReturnType<typeof createDeviceUpdatesService>
