import { join } from 'node:path'
import { MongoMemoryReplSet, MongoMemoryServer } from 'mongodb-memory-server'
import { MongoClient } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { launchOptions } from '../../src/testing.ts'

const ENGINE = join(import.meta.dirname, '../../bin/mongod')
const binary = { systemBinary: ENGINE, version: '8.0.4' }

describe('mongodb-memory-server with the engine as its mongod', () => {
  it('starts, serves and stops a single server', async () => {
    const server = await MongoMemoryServer.create({ binary, instance: await launchOptions() })
    const client = await MongoClient.connect(server.getUri())
    await client.db('x').collection('y').insertOne({ a: 1 })
    expect(await client.db('x').collection('y').countDocuments()).toBe(1)
    await client.close()
    expect(await server.stop()).toBe(true)
  })

  it('starts a replica set of one, ready for transactions', async () => {
    const set = await MongoMemoryReplSet.create({
      replSet: { count: 1, name: 'mine' },
      instanceOpts: [await launchOptions()],
      binary
    })
    const client = await MongoClient.connect(set.getUri())
    const session = client.startSession()
    await session.withTransaction(() => client.db('x').collection('y').insertOne({ a: 1 }, { session }))
    await session.endSession()
    expect((await client.db('admin').command({ replSetGetStatus: 1 }))['set']).toBe('mine')
    await client.close()
    await set.stop()
  })
})
