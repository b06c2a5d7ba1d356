import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Cluster } from '../../platform/cluster/cluster.ts'
import { createMemoryCluster, type MemoryCluster } from '../../testing/memory-cluster.ts'
import { startApi, type AddedDevice, type TestApi } from '../../testing/test-api.ts'
import type { PresenceTaken, ReportTaken } from './peer-messages.ts'

let cluster: MemoryCluster
let app: TestApi
let device: AddedDevice
let owner: string
/** They have not stored yet what they publish. */
let others: Cluster[]
let bootId: string

beforeEach(async () => {
  cluster = createMemoryCluster()
  app = await startApi({ cluster })
  others = ['second', 'third'].map((name) => cluster.join(name))
  owner = app.person().userId
  device = await app.device({ userId: owner })
  await cluster.settled()
  await app.settled()
  bootId = app.boards.directory.known(device.id)?.bootId ?? ''
  app.boards.directory.forget(device.id)
})
afterEach(() => app.stop())

const named = () => ({ id: device.id, mac: device.mac, userId: owner })

/** The report with that number has turned on as many outlets. */
function reportTaken(seq: number): ReportTaken {
  return {
    ...named(),
    switch: [0, 1, 2, 3].map((index) => index < seq),
    speed: [0, 0, 0, 0],
    bootId,
    seq,
    earlierBoots: [],
    conn: 1,
    stateAt: app.clock.now(),
    configConfirmedRev: 0,
    schedulesConfirmedRev: 0,
    changed: [],
    cause: { by: 'button', from: 'board' },
    at: app.clock.now(),
    report: { bootId, seq },
    facts: null,
    isBoot: false,
    isLate: false
  }
}
function presenceTaken(isOnline: boolean, conn: number): PresenceTaken {
  const at = app.clock.now()
  return { ...named(), isOnline, bootId, conn, seq: 1, earlierBoots: [], lastMessageAt: at, at }
}

/** What this instance knows of the board, which it loads once it has heard everything. */
async function loaded() {
  await cluster.settled()
  const live = await app.boards.directory.find(device.id)
  return { isOnline: live?.isOnline, on: live?.outlets.filter(({ on }) => on).length }
}

test('a board has the newer of two reports, whichever instance published its one first', async () => {
  others[0]?.publish('report-taken', reportTaken(3))
  others[1]?.publish('report-taken', reportTaken(2))
  expect(await loaded()).toEqual({ isOnline: true, on: 3 })
})

test('a board is offline if another instance has just heard so', async () => {
  others[0]?.publish('presence-taken', presenceTaken(false, 1))
  expect(await loaded()).toEqual({ isOnline: false, on: 0 })
})

test('a board is online if another instance has just heard so, unless an old connection ends after that', async () => {
  await app.models.devices.updateOne({ _id: device.id }, { isOnline: false })
  others[0]?.publish('presence-taken', presenceTaken(true, 2))
  others[1]?.publish('presence-taken', presenceTaken(false, 1))
  expect(await loaded()).toEqual({ isOnline: true, on: 0 })
})

test('a board is online if another instance has just had a report of it', async () => {
  await app.models.devices.updateOne({ _id: device.id }, { isOnline: false })
  others[0]?.publish('report-taken', reportTaken(2))
  expect(await loaded()).toEqual({ isOnline: true, on: 2 })
})

test('a board in memory goes online with a report that another instance had', async () => {
  await app.models.devices.updateOne({ _id: device.id }, { isOnline: false })
  expect(await loaded()).toMatchObject({ isOnline: false })
  others[0]?.publish('report-taken', reportTaken(2))
  expect(await loaded()).toEqual({ isOnline: true, on: 2 })
})

test('a board that went offline stays so when what it reported before is told later, until it reports again', async () => {
  await loaded()
  const earlier = reportTaken(2)
  app.clock.advance(250)
  others[1]?.publish('presence-taken', presenceTaken(false, 1))
  await cluster.settled()
  others[0]?.publish('report-taken', earlier)
  expect(await loaded()).toEqual({ isOnline: false, on: 2 })
  app.clock.advance(1)
  others[0]?.publish('report-taken', reportTaken(3))
  expect(await loaded()).toEqual({ isOnline: true, on: 3 })
})

test('an answer that another instance had late is shown once, however many publish it', async () => {
  await loaded()
  const shown: unknown[] = []
  app.boards.onReport((live, { commandId }) => void (live.id === device.id && shown.push(commandId)))
  others[0]?.publish('report-taken', reportTaken(3))
  for (const other of others) other.publish('report-taken', { ...reportTaken(2), commandId: 'second-1', isLate: true })
  await loaded()
  expect(shown).toEqual([undefined, 'second-1'])
})

test('a board in memory has the signal that another instance heard, and screens are told', async () => {
  await loaded()
  const told: unknown[] = []
  app.events.on('device-changed', ({ deviceId, update }) => void (deviceId === device.id && told.push(update)))
  const at = app.clock.now()
  others[0]?.publish('signal-taken', { ...named(), wifiRSSI: -71, at })
  await loaded()
  expect(app.boards.directory.known(device.id)?.wifiRSSI).toBe(-71)
  expect(told).toEqual([{ wifiRSSI: -71, lastSeen: at }])
})
