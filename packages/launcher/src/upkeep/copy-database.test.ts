import { testFolder } from '@batti/kit/node/testing'
import { startServerProcess } from '@batti/embedded-mongo/testing/server-process'
import { until } from '@batti/kit/testing'
import { MongoClient } from 'mongodb'
import { expect, it, onTestFinished } from 'vitest'
import { copyDatabase } from './copy-database.ts'

/** A database in place of MongoDB, and a client of it. */
async function database() {
  const folder = testFolder('copy')
  const server = await startServerProcess(folder, ['--port', '0'])
  // Short, because nothing answers after the kill.
  const client = new MongoClient(server.uri, { serverSelectionTimeoutMS: 500, monitorCommands: true })
  onTestFinished(async () => {
    await client.close()
    await server.stop()
  })
  await until('the connection', () => client.connect().catch(() => null))
  return { server, client, db: client.db('batti') }
}

it('a copy that fails says where, why, and whether something is left there', async () => {
  const [from, to] = [await database(), await database()]
  await from.db.collection('rooms').insertMany([{ name: 'Kitchen' }, { name: 'Bedroom' }])
  // An index that the copy may not have: the last step of a copy fails.
  await to.db.createCollection('rooms')
  await to.db.collection('rooms').createIndex({ name: 1 }, { name: 'by_name', unique: true })
  await from.db.collection('rooms').createIndex({ name: 1 }, { name: 'by_name' })
  await expect(copyDatabase(from.db, to.db, 'the other')).rejects.toThrow(
    /^Not everything could be copied to the other: .*by_name.*\. Nothing was kept there\.$/
  )
  expect(await to.db.listCollections().toArray()).toEqual([])
})

it('a copy to a database that ends meanwhile says that a part may be there', async () => {
  const [from, to] = [await database(), await database()]
  for (const name of ['rooms', 'switches']) await from.db.collection(name).insertOne({ name: 'Kitchen' })
  to.client.on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'insert' && command['insert'] === 'switches') to.server.child.kill('SIGKILL')
  })
  await expect(copyDatabase(from.db, to.db, 'the other')).rejects.toThrow(/ Drop what is there before the next try\.$/)
})
