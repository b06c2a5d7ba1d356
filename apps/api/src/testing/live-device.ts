import type { LiveDevice } from '../boards/registry/live-device.ts'

/** A board with four switches that is online and has not spoken yet. */
export function aLiveDevice(fields: Partial<LiveDevice> = {}): LiveDevice {
  return {
    id: '65a000000000000000000001',
    mac: '34:98:7A:0C:51:E2',
    userId: '65b000000000000000000001',
    roomId: null,
    deviceName: 'Wall 4',
    setName: 'Living room wall',
    timezone: 'Asia/Kathmandu',
    switch: [false, false, false, false],
    speed: [0, 0, 0, 0],
    fanIndexes: [],
    socketIndexes: [],
    outlets: [0, 1, 2, 3].map((index) => ({
      switchId: `65c00000000000000000000${index}`,
      name: `Switch ${index + 1}`,
      type: 'switch' as const
    })),
    bootId: '',
    seq: 0,
    earlierBoots: [],
    conn: 0,
    stateAt: 0,
    isOnline: true,
    onlineChangedAt: 0,
    lastMessageAt: 0,
    configRev: 0,
    configConfirmedRev: 0,
    schedulesRev: 0,
    schedulesConfirmedRev: 0,
    ...fields
  }
}
