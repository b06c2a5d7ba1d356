import type { LiveDevice } from './live-device.ts'

/** Live records of boards, as features other than devices may ask for them. */
export interface DeviceDirectory {
  find(deviceId: string): Promise<LiveDevice | null>
  findByMac(deviceMac: string): Promise<LiveDevice | null>
  findMany(deviceIds: readonly string[]): Promise<Map<string, LiveDevice>>
  /** Every board of one account. */
  ofUser(userId: string): Promise<LiveDevice[]>
  peekByMac(deviceMac: string): LiveDevice | undefined
  /** Only what is in memory; undefined means not loaded. */
  peek(deviceId: string): LiveDevice | undefined
  /** Ids of boards of the whole installation whose name contains the text; null for more than can be named. */
  findIdsByName(search: string): Promise<string[] | null>
}
