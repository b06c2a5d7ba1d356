import { deviceSilenceMs } from '@batti/contracts'
import { createFakeClock } from '@batti/kit/testing'
import { Types, type Connection, type Model, type QueryFilter } from 'mongoose'
import { pino } from 'pino'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { connectTestDatabase } from '../../testing/test-database.ts'
import { singleInstance } from '../../platform/cluster/cluster.ts'
import { createSilentBoards } from '../link/silent-boards.ts'
import { createDeviceModel, type DeviceDocument } from './device.model.ts'
import { createDeviceRegistry } from './device-registry.ts'
import { createSwitchModel, type SwitchDocument } from './switch.model.ts'

let connection: Connection
let devices: Model<DeviceDocument>
let switches: Model<SwitchDocument>
const id = new Types.ObjectId()
const [before, after] = [new Types.ObjectId(), new Types.ObjectId()]
beforeAll(async () => {
  const database = await connectTestDatabase()
  connection = database.connection
  devices = createDeviceModel(connection)
  switches = createSwitchModel(connection)
  return database.close
})
beforeEach(async () => {
  await devices.deleteMany({})
  await devices.collection.insertOne({
    _id: id,
    deviceMac: '34:98:7A:0C:51:E2',
    userId: before,
    switch: [false],
    speed: [0],
    earlierBoots: [],
    bootId: '',
    seq: 0
  } as unknown as DeviceDocument)
})

/** A registry in which one read of boards gets its answer from the database at once, and passes it on when released. */
function openHolding(held = 1) {
  const gate = Promise.withResolvers<void>()
  let reads = 0
  async function pass<Answer>(asked: Promise<Answer>): Promise<Answer> {
    const answer = await asked
    reads += 1
    if (reads === held) await gate.promise
    return answer
  }
  const slowly = {
    find: (filter: QueryFilter<DeviceDocument>) => ({ lean: () => pass(devices.find(filter).lean().exec()) }),
    findOne: (filter: QueryFilter<DeviceDocument>) => ({ lean: () => pass(devices.findOne(filter).lean().exec()) })
  }
  const slow = new Proxy(devices, {
    get: (model, name): unknown => (name === 'find' || name === 'findOne' ? slowly[name] : Reflect.get(model, name))
  })
  const parts = { devices: slow, switches, unstoredState: () => undefined }
  return { registry: createDeviceRegistry(parts, createFakeClock()), release: gate.resolve, reads: () => reads }
}
type Registry = ReturnType<typeof createDeviceRegistry>
const changeOwner = () => devices.updateOne({ _id: id }, { userId: after })

test('a board that is read while its owner changes belongs to the new owner', async () => {
  const { registry, release, reads } = openHolding()
  const found = registry.find(String(id))
  await expect.poll(reads).toBe(1)
  await changeOwner()
  const refreshed = registry.refresh(String(id))
  release()
  await Promise.all([found, refreshed])
  expect(registry.known(String(id))?.userId).toBe(String(after))
})

test.each([
  ['find', 'was stored'],
  ['refresh', 'was stored'],
  ['find', 'came'],
  ['refresh', 'came']
] as const)('a %s knows of a report that %s between its reads of the board and of the switches', async (name, what) => {
  const gate = Promise.withResolvers<void>()
  let [isHeld, isReading] = [false, false]
  const find = (filter: QueryFilter<SwitchDocument>) => ({
    async lean() {
      isReading = isHeld
      if (isHeld) await gate.promise
      return switches.find(filter).lean().exec()
    }
  })
  const slow = new Proxy(switches, {
    get: (model, key): unknown => (key === 'find' ? find : Reflect.get(model, key))
  })
  let unstored: Partial<DeviceDocument> | undefined
  const registry = createDeviceRegistry({ devices, switches: slow, unstoredState: () => unstored }, createFakeClock())
  if (name === 'refresh') await registry.find(String(id))
  isHeld = true
  const report = { osVersion: '1.5.0' }
  if (what === 'was stored') unstored = report
  const found = registry[name](String(id))
  await expect.poll(() => isReading).toBe(true)
  if (what === 'was stored') await devices.updateOne({ _id: id }, report)
  unstored = what === 'was stored' ? undefined : report
  gate.resolve()
  expect(await found).toMatchObject({ osVersion: '1.5.0' })
})

test('of two changes of a board the later one counts, although what was read after the earlier one arrives last', async () => {
  const { registry, release, reads } = openHolding()
  const earlier = registry.refresh(String(id))
  await expect.poll(reads).toBe(1)
  await changeOwner()
  const later = registry.refresh(String(id))
  // A read of the later one that did not wait would be over before this.
  await devices.findById(id)
  await devices.findById(id)
  release()
  await Promise.all([earlier, later])
  expect(registry.known(String(id))?.userId).toBe(String(after))
})

test('a board whose owner changes while all are read again belongs to the new owner, and has the state that was read', async () => {
  const { registry, release, reads } = openHolding(2)
  await registry.find(String(id))
  await devices.updateOne({ _id: id }, { bootId: 'b1', seq: 7, switch: [true] })
  const all = registry.rereadAll()
  await expect.poll(reads).toBe(2)
  await changeOwner()
  await registry.refresh(String(id))
  release()
  await all
  expect(registry.known(String(id))).toMatchObject({ userId: String(after), seq: 7, outlets: [{ on: true }] })
})

test('a board that is gone when it is read again is forgotten', async () => {
  const { registry, release } = openHolding()
  release()
  expect((await registry.find(String(id)))?.userId).toBe(String(before))
  await devices.deleteMany({})
  expect(await registry.refresh(String(id))).toBeNull()
  expect(registry.known(String(id))).toBeUndefined()
})

test.each([
  ['by its id', (registry: Registry) => registry.find(String(id))],
  ['by its MAC', (registry: Registry) => registry.findByMac('34:98:7A:0C:51:E2')],
  ['with others', async (registry: Registry) => (await registry.findMany([String(id)])).get(String(id)) ?? null]
])('a board that is deleted while it is looked up %s is not kept', async (_how, look) => {
  const { registry, release, reads } = openHolding()
  const found = look(registry)
  await expect.poll(reads).toBe(1)
  await devices.deleteMany({})
  registry.forget(String(id))
  release()
  expect(await found).toBeNull()
  expect(registry.known(String(id))).toBeUndefined()
})

test('a board whose first message is still being looked up does not count as silent', async () => {
  await devices.updateOne({ _id: id }, { isOnline: true })
  const { registry, release, reads } = openHolding()
  const clock = createFakeClock()
  const silent: string[] = []
  const isSearched = Promise.withResolvers<void>()
  const boards = createSilentBoards({
    clock,
    registry: {
      ...registry,
      async *idsOnline() {
        yield [String(id)]
        isSearched.resolve()
      }
    },
    log: pino({ level: 'silent' }),
    peers: { isSplit: () => false },
    leases: singleInstance('x').leases,
    onSilent: (device) => void silent.push(device.id)
  })
  clock.advance(1)
  const startedAt = clock.monotonic()
  clock.advance(deviceSilenceMs + 1)
  const heard = registry.find(String(id)).then((device) => device && (device.heardAt = clock.monotonic()))
  await expect.poll(reads).toBe(1)
  boards.sweep(startedAt)
  // A search that did not wait would be over before this.
  for (let n = 0; n < 5; n += 1) await devices.findById(id)
  release()
  await Promise.all([heard, isSearched.promise])
  expect(silent).toEqual([])
})

test('a thousand MACs that nobody has are looked up in a few reads', async () => {
  const { registry, release, reads } = openHolding()
  release()
  const macs = Array.from({ length: 1000 }, (_, n) => `34:98:7A:00:0${n % 10}:${String(10 + Math.floor(n / 10))}`)
  const found = await Promise.all([...macs, '34:98:7A:0C:51:E2'].map((mac) => registry.findByMac(mac)))
  expect(found.map((device) => device?.id).filter((known) => known !== undefined)).toEqual([String(id)])
  expect(reads()).toBeLessThanOrEqual(3)
})
