import type { DeviceUpdateEvent } from '@batti/contracts'
import type { DeviceList } from './list-devices.ts'

type Boards = DeviceList['devices']

/**
 * Merges a change by a board (or by its owner in another tab) into the list; switches and presence belong to the live
 * state.
 */
export function applyDeviceUpdate(boards: Boards, { deviceMac, update, at }: DeviceUpdateEvent): Boards {
  if (!boards.some((device) => device.deviceMac === deviceMac)) return boards
  // Only fields of the record: a newer server's event may have more.
  const { isOnline, wifiRSSI, localIp, osVersion, activeColor, timezone, setName, setRoom } = update
  const { wifiSSID, remoteCode, serverUrl, serverPort, mqttPort } = update
  const lastSeen = update.lastSeen && new Date(update.lastSeen).toISOString()
  const reported = { isOnline, lastSeen, wifiRSSI, localIp, osVersion }
  const set = { activeColor, timezone, setName, setRoom, wifiSSID, remoteCode, serverUrl, serverPort, mqttPort }
  const given = { ...reported, ...set }
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return boards.map((device) => {
    if (device.deviceMac !== deviceMac) return device
    const isOther = isOnline !== undefined && isOnline !== device.isOnline
    return { ...device, ...changes, ...(isOther && { onlineChangedAt: new Date(at).toISOString() }) }
  })
}
