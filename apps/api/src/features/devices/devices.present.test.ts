import { expect, test } from 'vitest'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import { presentDevice } from './devices.present.ts'

const around = {
  room: null,
  owner: null,
  image: null,
  firmware: null,
  forStaff: false,
  now: 0,
  wifiPassword: undefined
}

const stored = {
  switch: [],
  speed: [],
  lastSeen: null,
  isOnline: false,
  createdBy: null,
  updatedBy: null,
  createdAt: new Date(0),
  updatedAt: new Date(0)
} as unknown as DeviceDocument
const live = { isOnline: true, lastMessageAt: 5, onlineChangedAt: 5 } as LiveDevice

test('a board that has just connected is not shown as never seen before its health is stored', () => {
  const fresh: DeviceDocument = { ...stored, healthReasons: ['never-seen'] }

  expect(presentDevice(fresh, { ...around, live: undefined }).health).toEqual({ score: 0, reasons: ['never-seen'] })
  expect(presentDevice(fresh, { ...around, live }).health).toEqual({ score: 100, reasons: [] })
})

test('a board that was stored before there was a health score is shown', () => {
  expect(presentDevice(stored, { ...around, live }).health).toEqual({ score: 100, reasons: [] })
  expect(presentDevice(stored, { ...around, live: undefined }).health).toEqual({ score: 0, reasons: ['never-seen'] })
})
