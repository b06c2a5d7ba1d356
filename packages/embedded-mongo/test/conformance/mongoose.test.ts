import mongoose, { Schema, type Connection, type InferSchemaType, type Model } from 'mongoose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDatabaseName, databaseUri, startTestDatabase, type TestDatabase } from '../../src/testing.ts'
import { errorOf } from './battery.ts'

const ownerSchema = new Schema({ name: { type: String, required: true } }, { timestamps: true })
const deviceSchema = new Schema(
  {
    mac: { type: String, unique: true, required: true },
    owner: { type: Schema.Types.ObjectId, ref: 'Owner', index: true },
    switches: [{ name: String, on: { type: Boolean, default: false } }],
    settings: { type: Map, of: Number },
    seen: Date,
    secret: { type: String, select: false },
    raw: Buffer
  },
  { timestamps: true, optimisticConcurrency: true }
)
deviceSchema.index({ owner: 1, seen: -1 })

describe('mongoose', () => {
  let server: TestDatabase
  let connection: Connection
  let Owner: Model<InferSchemaType<typeof ownerSchema>>
  let Device: Model<InferSchemaType<typeof deviceSchema>>

  beforeAll(async () => {
    server = await startTestDatabase()
    connection = await mongoose.createConnection(databaseUri(server.uri, createDatabaseName('mongoose'))).asPromise()
    Owner = connection.model('Owner', ownerSchema) as never
    Device = connection.model('Device', deviceSchema) as never
    await Promise.all([Owner.init(), Device.init()])
  })
  beforeEach(() => Promise.all([Owner.deleteMany({}), Device.deleteMany({})]))
  afterAll(async () => {
    await connection?.dropDatabase()
    await connection?.close()
    await server?.stop()
  })

  it('creates, populates, selects and saves', async () => {
    const owner = await Owner.create({ name: 'Sita' })
    const device = await Device.create({
      mac: 'aa',
      owner: owner._id,
      switches: [{ name: 'lamp' }],
      secret: 's',
      raw: Buffer.from('x'),
      settings: { dim: 5 }
    })
    const found = await Device.findOne({ mac: 'aa' }).populate<{ owner: { name: string } }>('owner')
    expect(found?.owner.name).toBe('Sita')
    expect(found?.secret).toBeUndefined()
    expect(found?.settings?.get('dim')).toBe(5)
    const lamp = device.switches[0]
    if (lamp) lamp.on = true
    await device.save()
    expect((await Device.findById(device._id).lean())?.switches[0]).toMatchObject({ name: 'lamp', on: true })
  })

  it('detects a save of an old version', async () => {
    await Device.create({ mac: 'aa' })
    const [a, b] = [await Device.findOne(), await Device.findOne()]
    a?.set('seen', new Date())
    await a?.save()
    b?.set('seen', new Date(0))
    expect(await errorOf(b?.save() ?? Promise.resolve())).toMatchObject({ name: 'VersionError' })
  })

  it('creates its indexes and reports duplicates', async () => {
    expect(await Device.collection.indexes()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'mac_1', unique: true }),
        expect.objectContaining({ name: 'owner_1_seen_-1' })
      ])
    )
    await Device.create({ mac: 'aa' })
    expect(await errorOf(Device.create({ mac: 'aa' }))).toMatchObject({ code: 11000, keyValue: { mac: 'aa' } })
    await Device.syncIndexes()
    expect(await Device.diffIndexes()).toMatchObject({ toDrop: [], toCreate: [] })
  })

  it('writes many documents at once', async () => {
    await Device.insertMany(Array.from({ length: 20 }, (_, i) => ({ mac: `m${i}` })))
    const result = await Device.bulkWrite([
      { updateOne: { filter: { mac: 'm1' }, update: { $set: { 'switches.0': { name: 'x' } } } } },
      { updateOne: { filter: { mac: 'new' }, update: { $setOnInsert: { seen: new Date() } }, upsert: true } },
      { deleteMany: { filter: { mac: /^m1\d$/ } } }
    ])
    expect(result).toMatchObject({ matchedCount: 1, upsertedCount: 1, deletedCount: 10 })
    expect(await Device.countDocuments()).toBe(11)
    const seen: string[] = []
    for await (const { mac } of Device.find().sort({ mac: 1 }).cursor({ batchSize: 3 })) seen.push(mac)
    expect(seen).toHaveLength(11)
  })

  it('runs transactions and rolls back the documents of a failed one', async () => {
    await connection.transaction(async (session) => {
      await Owner.create([{ name: 'a' }], { session })
      await Device.create([{ mac: 'aa' }], { session })
    })
    expect([await Owner.countDocuments(), await Device.countDocuments()]).toEqual([1, 1])
    await errorOf(
      connection.transaction(async (session) => {
        await Owner.create([{ name: 'b' }], { session })
        await Device.create([{ mac: 'aa' }], { session })
      })
    )
    expect([await Owner.countDocuments(), await Device.countDocuments()]).toEqual([1, 1])
  })

  it('watches a model', async () => {
    const stream = Owner.watch([], { fullDocument: 'updateLookup' })
    const received: string[] = []
    stream.on('change', ({ operationType }) => received.push(operationType))
    // mongoose reports 'ready' before the server knows the stream; earlier writes are not reported.
    await expect
      .poll(async () => {
        await Owner.create({ name: 'x' })
        return received[0]
      })
      .toBe('insert')
    await stream.close()
  })
})
