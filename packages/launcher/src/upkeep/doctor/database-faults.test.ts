import { fileFormat } from '@batti/embedded-mongo/storage/file/database-file'
import { testFolder } from '@batti/kit/node/testing'
import { ObjectId } from 'mongodb'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { readSettings } from '../../config.ts'
import { describeInstallation } from '../installation.ts'
import { onEmbedded, onMongo } from '../open-database.ts'
import { databaseFaults } from './database-faults.ts'

/** Makes an installation, and returns its folder and its faults under these settings. */
function installation() {
  const data = testFolder('doctor')
  return {
    data,
    faults: (env: Record<string, string> = {}) =>
      databaseFaults(describeInstallation(data, readSettings(env)), { current: null, previous: undefined })
  }
}

it('a missing database is a fault: of the folder that was named, or of the file when its log is there', async () => {
  const { data, faults } = installation()
  expect(await faults()).toEqual([
    { what: 'There is no database', where: join(data, 'db', 'batti.db'), do: expect.stringMatching(/--data.*restore/) }
  ])
  mkdirSync(join(data, 'db'))
  writeFileSync(join(data, 'db', 'batti.db-wal'), 'commits')
  expect(await faults()).toMatchObject([{ what: expect.stringMatching(/batti\.db is missing, but .*batti\.db-wal/) }])
})

it('a database of an older version is not opened, because the older version could not go on with it', async () => {
  const { data, faults } = installation()
  await onEmbedded(join(data, 'db'), () => Promise.resolve())
  const file = new DatabaseSync(join(data, 'db', 'batti.db'))
  onTestFinished(() => file.close())
  const format = (): unknown => file.prepare('PRAGMA user_version').get()?.['user_version']
  expect([format(), await faults()]).toEqual([fileFormat, []])
  file.exec(`PRAGMA user_version = ${fileFormat - 1}`)
  expect(await faults()).toMatchObject([{ what: 'The database was written by an older version of Batti' }])
  expect(format()).toBe(fileFormat - 1)
})

it('uploads that the database names, and that its folder lacks, are a fault; those of a bucket are not looked for', async () => {
  const { data, faults } = installation()
  const firmware = new ObjectId()
  await onEmbedded(join(data, 'db'), (uri) =>
    onMongo(uri, async (client) => {
      const db = client.db('batti')
      await db.collection('firmwareFiles').insertOne({ _id: firmware, filename: 'fan-1.4.2.bin' })
      await db.collection('users').insertMany([{ imageKey: null }, { imageKey: 'images/sita.webp' }])
      const typesOfBoards = ['http://home/files/images/fan.webp', '/pictures/fan.svg'].map((deviceImage) => ({
        deviceImage
      }))
      await db.collection('deviceTypes').insertMany(typesOfBoards)
    })
  )
  const files = join(data, 'api', 'files')
  const paths = [`firmware/${firmware.toHexString()}.bin`, 'images/sita.webp', 'images/fan.webp']
  for (const folder of ['firmware', 'images']) mkdirSync(join(files, folder), { recursive: true })
  expect(await faults()).toEqual([
    {
      what: '3 firmware files and pictures of the database cannot be found',
      where: join(files, paths[0] ?? ''),
      do: expect.stringContaining(`Put ${files} back`)
    }
  ])
  expect(await faults({ S3_BUCKET: 'uploads' })).toEqual([])
  for (const path of paths.slice(1)) writeFileSync(join(files, path), 'a file')
  expect(await faults()).toMatchObject([{ what: 'A firmware file or picture of the database cannot be found' }])
  writeFileSync(join(files, paths[0] ?? ''), 'a file')
  expect(await faults()).toEqual([])
})
