import { kindsOf } from '@batti/contracts'
import type { ClaimableBoard, ClaimableBoards } from '../../boards/claimable-boards.ts'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import type { RunInTransaction } from '../../platform/store/transactions.ts'
import type { BoardLimit } from './board-limit.ts'
import type { DevicesRepository } from './devices.repository.ts'
import { newDevice, type DeviceType } from './new-device.ts'

/** The setup form tells these only to the board, which tells nobody. */
const unknownSettings = { wifiSSID: '', wifiPassword: '', serverUrl: '', serverPort: null, mqttPort: null }

/** The boards for pairing. A claimed board gets its switches at once, and its live record is refreshed. */
export function createClaimableBoards(options: {
  devices: DevicesRepository
  limit: BoardLimit
  findType(deviceCode: string, hwModel: string): Promise<DeviceType | null>
  /** Returns whether the type exists, and locks it against deletion. */
  claimType(deviceCode: string, hwModel: string): Promise<boolean>
  createSwitches(device: DeviceDocument): Promise<void>
  refreshLive(deviceId: string): Promise<unknown>
  /** Returns whether the account exists, and locks it against deletion. */
  claimOwner(userId: string): Promise<boolean>
  zoneOf(userId: string): Promise<string>
  inTransaction: RunInTransaction
}): ClaimableBoards {
  const { devices, limit, findType, claimType, createSwitches, refreshLive, claimOwner, zoneOf, inTransaction } =
    options

  /** Locks the account for the transaction, so that concurrent claims cannot exceed the limit. */
  const giveTo = (userId: string, take: () => Promise<DeviceDocument | null>): Promise<ClaimableBoard | null> =>
    inTransaction(async () => {
      if (!(await claimOwner(userId))) return null
      if (!(await limit.hasRoom(userId))) throw limit.refusal()
      const device = await take()
      if (device === null) return null
      await createSwitches(device)
      return toBoard(device)
    })

  return {
    async findByMac(deviceMac) {
      const device = await devices.findByMac(deviceMac)
      return device === null ? null : toBoard(device)
    },
    async kindsOfType(deviceCode, hwModel) {
      const type = await findType(deviceCode, hwModel)
      return type === null ? null : kindsOf(type.numberOfSwitches, type)
    },
    async create({ deviceCode, hwModel, deviceMac }, userId) {
      return giveTo(userId, async () => {
        const type = (await claimType(deviceCode, hwModel)) ? await findType(deviceCode, hwModel) : null
        // Checked first, because a refused insert would abort the transaction.
        if (type === null || (await devices.findByMac(deviceMac)) !== null) return null
        const fields = { ...newDevice(type, deviceMac, await zoneOf(userId)), userId, createdBy: userId, from: 'setup' }
        return devices.insertUnlessTaken(fields)
      })
    },
    async setUpAgain(id, userId) {
      const device = await devices.updateOf({ id, userId }, unknownSettings)
      if (device !== null) await createSwitches(device)
      return device !== null
    },
    claim: (id, userId) =>
      giveTo(userId, async () => devices.claim(id, { userId, timezone: await zoneOf(userId), ...unknownSettings })),
    async setAccess(board, access) {
      if ((await devices.updateOf(board, access)) === null) return false
      await refreshLive(board.id)
      return true
    }
  }
}

function toBoard(device: DeviceDocument): ClaimableBoard {
  const { deviceMac, deviceCode, hwModel, setName, deviceName, credentialHash, pendingHash } = device
  return {
    id: String(device._id),
    deviceMac,
    name: setName || deviceName,
    deviceCode,
    hwModel,
    kinds: kindsOf(device.switch.length, device),
    userId: device.userId === null ? null : String(device.userId),
    credentialHash,
    pendingHash
  }
}
