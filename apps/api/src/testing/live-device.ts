import { outletsFromWire, type IndexLists, type StatesOnWire } from '@batti/contracts'
import type { LiveDevice, NamedOutlet } from '../boards/registry/live-device.ts'

/** Returns a board with four switches that is online and has not reported yet. */
export function aLiveDevice(fields: Partial<LiveDevice> = {}): LiveDevice {
  return {
    id: '65a000000000000000000001',
    mac: '34:98:7A:0C:51:E2',
    userId: '65b000000000000000000001',
    roomId: null,
    deviceName: 'Wall 4',
    setName: 'Living room wall',
    timezone: 'Asia/Kathmandu',
    outlets: fourOutlets(),
    bootId: '',
    seq: 0,
    earlierBoots: [],
    conn: 0,
    stateAt: 0,
    isOnline: true,
    onlineChangedAt: 0,
    connectedAt: null,
    lastMessageAt: 0,
    heardAt: 0,
    usedAt: 0,
    osVersion: '',
    localIp: '',
    wifiRSSI: null,
    signalStoredAt: -Infinity,
    configRev: 0,
    configConfirmedRev: 0,
    schedulesRev: 0,
    schedulesConfirmedRev: 0,
    ...fields
  }
}

/** Returns the outlets of such a board: plain switches, all off, except as given. */
export function fourOutlets(wire: Partial<StatesOnWire & IndexLists> = {}): NamedOutlet[] {
  const off = { switch: [false, false, false, false], speed: [0, 0, 0, 0] }
  return outletsFromWire({ ...off, ...wire }).map((outlet, index) => ({
    ...outlet,
    switchId: `65c00000000000000000000${index}`,
    name: `Switch ${index + 1}`
  }))
}
