import type { DeviceUpdateEvent } from '@batti/contracts'
import type { DeviceList } from './list-devices.ts'

type Boards = DeviceList['devices']

/** Merges what a board (or its owner in another tab) changed into the list; switches and presence are the live state's. */
export function applyDeviceUpdate(boards: Boards, { deviceMac, update }: DeviceUpdateEvent): Boards {
  if (!boards.some((device) => device.deviceMac === deviceMac)) return boards
  // Only fields that the record has: the event may carry more than this version of the app knows.
  const { isOnline, lastSeen, wifiRSSI, localIp, osVersion, activeColor, setName, setRoom } = update
  const given = { isOnline, lastSeen, wifiRSSI, localIp, osVersion, activeColor, setName, setRoom }
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return boards.map((device) => (device.deviceMac === deviceMac ? { ...device, ...changes } : device))
}
