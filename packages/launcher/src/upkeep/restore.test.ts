import { migrations } from '@batti/api/migrations/migrations'
import { takeFolder } from '@batti/embedded-mongo/folder-lock'
import { testFolder, watchDisk } from '@batti/kit/node/testing'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MongoClient } from 'mongodb'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readSettings } from '../config.ts'
import { createRunRecord } from '../parts/run-record.ts'
import { writeArchive } from './archive.ts'
import { describeInstallation } from './installation.ts'
import { onEmbedded, onMongo } from './open-database.ts'
import { restore } from './restore.ts'

let home: string
beforeEach(() => {
  home = testFolder('restore')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const file = (): string => join(home, 'home.tar.gz')
const data = (): string => join(home, 'data')
const madeAt = '2026-01-01T00:00:00.000Z'

/** Writes an archive of a folder with one file of keys; `add` puts more into the folder. */
async function archiveOf(database: 'embedded' | 'elsewhere', add?: (folder: string) => unknown): Promise<void> {
  const folder = join(home, 'archived')
  mkdirSync(folder)
  writeFileSync(join(folder, 'secrets.json'), 'of the archive')
  await add?.(folder)
  await writeArchive(folder, file(), { version: '1.0.0', madeAt, database })
}
function withCa(folder: string): void {
  mkdirSync(join(folder, 'certs'))
  writeFileSync(join(folder, 'certs/ca.pem'), 'a CA')
}
const restoreIt = (env: Record<string, string> = {}, folder = data()): Promise<string[]> =>
  restore(describeInstallation(folder, readSettings(env)), file(), 'now')

/** Makes a data folder with one file. */
function livedIn(): void {
  mkdirSync(data())
  writeFileSync(join(data(), 'secrets.json'), 'of before')
}
const keys = (folder = data()): string => readFileSync(join(folder, 'secrets.json'), 'utf8')
/** Expects the folder to be as `livedIn` made it, and nothing of a restore beside it. */
function expectUntouched(): void {
  expect(keys()).toBe('of before')
  expect(readdirSync(home).filter((name) => name.startsWith('data'))).toEqual(['data'])
}

it.runIf(process.platform !== 'win32')(
  'puts everything on the disk before it takes the place of what was there',
  async () => {
    await archiveOf('elsewhere', withCa)
    livedIn()
    const seen = await watchDisk(() => restoreIt())

    const staged = (name: string): string => `sync ${join(`${data()}.restoring`, name)}`
    const swap = seen.indexOf(`rename ${data()}`)
    expect(seen.slice(0, swap).toSorted()).toEqual(['', 'certs', 'certs/ca.pem', 'secrets.json'].map(staged).toSorted())
    expect(seen.slice(swap)).toEqual([`rename ${data()}`, `rename ${data()}.restoring`, `sync ${home}`])
    expect(readdirSync(data()).toSorted()).toEqual(['certs', 'secrets.json'])
    expect(existsSync(`${data()}.before-restore-now`)).toBe(true)
  }
)

it.runIf(process.platform !== 'win32')(
  'leaves the folder with the user whose it was, also where root restores',
  async () => {
    await archiveOf('elsewhere', withCa)
    mkdirSync(data())
    // Only root can have restored for somebody else.
    if (process.getuid?.() === 0) chownSync(data(), 4242, 4242)
    const { uid, gid } = statSync(data())

    await restoreIt()

    for (const path of [data(), join(data(), 'certs'), join(data(), 'certs/ca.pem')])
      expect(statSync(path), path).toMatchObject({ uid, gid })
  }
)

it('says so where there is no archive', async () => {
  livedIn()
  await expect(restoreIt()).rejects.toThrow(`There is no archive at ${file()}.`)
  expectUntouched()
})

it('makes the folders that are missing, on a machine that had none', async () => {
  await archiveOf('elsewhere')
  const deep = join(home, 'srv', 'batti', 'data')
  const said = await restoreIt({}, deep)
  expect(keys(deep)).toBe('of the archive')
  expect(readdirSync(join(home, 'srv', 'batti'))).toEqual(['data'])
  expect(said).toEqual([
    `Restored ${deep} from ${file()}, which was made ${madeAt} by version 1.0.0.`,
    'The database was not in it: restore MongoDB with its own tools, such as mongorestore.'
  ])
})

it('keeps no empty folder', async () => {
  await archiveOf('elsewhere')
  mkdirSync(data())
  const said = await restoreIt()
  expect(keys()).toBe('of the archive')
  expect(said.join()).not.toContain('is kept')
  expect(readdirSync(home).filter((name) => name.startsWith('data'))).toEqual(['data'])
})

it('says which folder it kept, and where uploads belong that are stored elsewhere', async () => {
  await archiveOf('elsewhere')
  livedIn()
  const said = await restoreIt({ DATA_DIR: '/mnt/uploads' })
  const kept = `${data()}.before-restore-now`
  expect(keys(kept)).toBe('of before')
  expect(said.slice(1)).toEqual([
    `The folder that was there is kept as ${kept}.`,
    expect.stringContaining('mongorestore'),
    `Its uploads are in ${join(data(), 'api')}: copy them to /mnt/uploads, which DATA_DIR names.`
  ])
})

it('takes nothing from a restore that was killed before, and can be done again', async () => {
  await archiveOf('elsewhere')
  const leftover = `${data()}.restoring`
  mkdirSync(leftover)
  writeFileSync(join(leftover, 'ports.json'), 'half a file')
  await restoreIt()
  expect(readdirSync(data())).toEqual(['secrets.json'])
  rmSync(data(), { recursive: true })
  await restoreIt()
  expect(keys()).toBe('of the archive')
})

it('restores a sound database, and refuses one whose documents and index differ', async () => {
  await archiveOf('embedded', async (folder) => {
    await onEmbedded(join(folder, 'db'), async (uri) => {
      const client = await MongoClient.connect(uri)
      await client
        .db('batti')
        .collection<{ _id: number }>('lamps')
        .insertMany([{ _id: 1 }, { _id: 2 }])
      await client.db('batti').collection('lamps').createIndex({ name: 1 })
      await client.close()
    })
  })
  livedIn()
  expect(await restoreIt()).toHaveLength(2)
  expect(existsSync(join(data(), 'db', 'batti.db'))).toBe(true)

  const damaged = join(home, 'damaged')
  renameSync(data(), damaged)
  const database = new DatabaseSync(join(damaged, 'db', 'batti.db'))
  const [index] = database.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'index\\_%' ESCAPE '\\'").all()
  database.exec(`DELETE FROM ${String(index?.['name'])} WHERE rid = (SELECT max(rid) FROM ${String(index?.['name'])})`)
  database.close()
  await writeArchive(damaged, file(), { version: '1.0.0', madeAt, database: 'embedded' })
  rmSync(`${data()}.before-restore-now`, { recursive: true })
  livedIn()
  await expect(restoreIt()).rejects.toThrow(
    /^The database in .*home\.tar\.gz is not sound: batti\.lamps: document 2 is missing in index .*\. Nothing was changed\.$/
  )
  expectUntouched()
})

it('names the archive whose database a newer version wrote, not the copy that is removed', async () => {
  await archiveOf('embedded', async (folder) => {
    await onEmbedded(join(folder, 'db'), () => Promise.resolve())
    const database = new DatabaseSync(join(folder, 'db', 'batti.db'))
    database.exec('PRAGMA user_version = 1000')
    database.close()
  })
  livedIn()
  await expect(restoreIt()).rejects.toThrow(`${file()} was written by a newer version of Batti: start that one`)
  expectUntouched()
})

it('refuses a database that a newer version migrated, and takes one of its own schema', async () => {
  const schema = migrations.length + 1
  await archiveOf('embedded', (folder) =>
    onEmbedded(join(folder, 'db'), (uri) =>
      onMongo(uri, (client) => client.db('batti').collection('schema').insertOne({ version: schema }))
    )
  )
  livedIn()
  await expect(restoreIt()).rejects.toThrow(
    `The database in ${file()} has schema ${schema} of a newer Batti (1.0.0), and this one knows up to ${migrations.length}: restore it with the newer version. Nothing was changed.`
  )
  expectUntouched()
  const archived = join(home, 'archived')
  await onEmbedded(join(archived, 'db'), (uri) =>
    onMongo(uri, (client) =>
      client
        .db('batti')
        .collection('schema')
        .updateOne({}, { $inc: { version: -1 } })
    )
  )
  await writeArchive(archived, file(), { version: '1.0.0', madeAt, database: 'embedded' })
  expect(await restoreIt()).toHaveLength(2)
})

it('refuses a folder whose launcher runs', async () => {
  await archiveOf('elsewhere')
  livedIn()
  // The process that started this one has been there all the time.
  createRunRecord(data(), process.ppid).take()
  await expect(restoreIt()).rejects.toThrow(
    `Batti is running on ${data()} (process ${process.ppid}): stop it, and try again.`
  )
  expectUntouched()
})

it('refuses a folder whose database runs, until it has stopped', async () => {
  await archiveOf('elsewhere')
  livedIn()
  const release = await takeFolder({ folder: join(data(), 'db') })
  await expect(restoreIt()).rejects.toThrow(`The database of ${data()} is running: stop it, and try again.`)
  expectUntouched()
  release()
  await restoreIt()
  expect(keys()).toBe('of the archive')
})

it.runIf(process.platform !== 'win32')('says why the folder cannot be locked', async () => {
  await archiveOf('elsewhere')
  livedIn()
  vi.stubEnv('TMPDIR', join(home, 'nowhere'))
  await expect(restoreIt()).rejects.toThrow(/can be neither made nor taken over .* set TMPDIR to a folder/)
  expectUntouched()
})
