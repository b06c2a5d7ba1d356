import type { ConfigUpdatePayload, DeviceFirmware, DeviceRecord, updateDevice } from '@batti/contracts'
import type { z } from 'zod'
import type { Clock } from '@batti/kit/clock'
import type { EventBus } from '../../platform/events.ts'
import type { RunInTransaction } from '../../platform/store/transactions.ts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import type { SecretBox } from '../../platform/store/secret-box.ts'
import type { DeviceType } from './new-device.ts'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import type { BoardLimit } from './board-limit.ts'
import type { DevicesRepository } from './devices.repository.ts'

export interface DevicesOptions {
  devices: DevicesRepository
  limit: BoardLimit
  clock: Clock
  events: EventBus
  secrets: SecretBox
  /** The CAs that boards must trust, as PEM; empty for the public authorities. */
  trustedCa?(): string
  peek(deviceId: string): LiveDevice | undefined
  refreshLive(deviceId: string): Promise<LiveDevice | null>
  forgetLive(deviceId: string): void
  /** Sends settings to a board; false if it cannot be reached now (it gets them when it is back). */
  pushConfig(deviceId: string, payload: ConfigUpdatePayload): boolean
  closeConnection(deviceId: string): void
  findRooms(ids: readonly string[]): Promise<Map<string, RoomSummary & { userId: string }>>
  findOwners(ids: readonly string[]): Promise<Map<string, OwnerSummary>>
  /** Returns whether the account exists, and locks it against deletion. */
  claimOwner(userId: string): Promise<boolean>
  inTransaction: RunInTransaction
  zoneOf(userId: string): Promise<string>
  /** Returns the ids of people whose name, e-mail or phone contains the text; null if there are too many. */
  searchOwners(text: string): Promise<string[] | null>
  /** Returns the ids of rooms whose name contains the text; of all owners if none is given. */
  searchRooms(text: string, userId?: string): Promise<string[] | null>
  findTypes(deviceCodes: readonly string[]): Promise<DeviceType[]>
  /** Returns whether the type exists, and locks it against deletion. */
  claimType(deviceCode: string, hwModel: string): Promise<boolean>
  createSwitches(device: DeviceDocument): Promise<void>
  deleteSwitches(deviceId: string): Promise<void>
  /** Returns the updates in progress, by board. */
  findFirmware(deviceIds: readonly string[]): Promise<ReadonlyMap<string, DeviceFirmware>>
  /** Removes what other features keep of a board that leaves its owner. */
  onReleased(deviceId: string): Promise<void>
}

export type DevicePatch = z.output<NonNullable<typeof updateDevice.body>>

export type RoomSummary = NonNullable<DeviceRecord['setRoom']>

export type OwnerSummary = NonNullable<DeviceRecord['userId']>
