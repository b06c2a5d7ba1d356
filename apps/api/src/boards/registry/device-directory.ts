import type { LiveDevice } from './live-device.ts'

/** Live records of boards, for features other than devices. */
export interface DeviceDirectory {
  find(deviceId: string): Promise<LiveDevice | null>
  findByMac(deviceMac: string): Promise<LiveDevice | null>
  findMany(deviceIds: readonly string[]): Promise<Map<string, LiveDevice>>
  /** Returns every board of one account. */
  ofUser(userId: string): Promise<LiveDevice[]>
  peekByMac(deviceMac: string): LiveDevice | undefined
  /** Returns the record only if it is in memory; undefined means not loaded. */
  peek(deviceId: string): LiveDevice | undefined
  /** Returns the ids of all boards whose name contains the text; null when there are too many to list. */
  findIdsByName(search: string): Promise<string[] | null>
}
