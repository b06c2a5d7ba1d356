import { testFolder } from '@batti/kit/node/testing'
import { freeBytesAt, mebibyte } from '@batti/kit/node/disk-space'
import { chmodSync, mkdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { folderFaults, ownerFaults } from './folder-faults.ts'

const hasPermissionBits = process.platform !== 'win32'
let data: string
beforeEach(() => {
  const folder = testFolder('folder')
  data = folder
})
/** Writes a file of this size, of which the disk stores nothing. */
function sparse(path: string, bytes: number): void {
  writeFileSync(path, '')
  truncateSync(path, bytes)
}

describe.runIf(hasPermissionBits)('the owners of the files', () => {
  it('are compared with the owner of the folder', () => {
    mkdirSync(join(data, 'certs'))
    writeFileSync(join(data, 'certs', 'ca.pem'), '')
    const { uid, gid } = statSync(data)
    expect(ownerFaults(data, { uid, gid })).toEqual([])
    expect(ownerFaults(data, { uid: uid + 1, gid })).toEqual([
      {
        what: '2 files do not belong to the owner of the data folder',
        where: join(data, 'certs'),
        do: `chown -R ${uid + 1}:${gid} ${data}`
      }
    ])
  })

  it('are reported in the singular for one file', () => {
    writeFileSync(join(data, 'secrets.json'), '')
    const { uid, gid } = statSync(data)
    expect(ownerFaults(data, { uid: uid + 1, gid })).toMatchObject([
      { what: 'A file does not belong to the owner of the data folder', where: join(data, 'secrets.json') }
    ])
  })
})

describe.runIf(hasPermissionBits)('the permissions of a data folder', () => {
  it.each([0o720, 0o702])('that others may write into are a fault (%o)', async (mode) => {
    chmodSync(data, mode)
    expect(await folderFaults(data)).toEqual([
      { what: 'Others may write into the data folder', where: data, do: `chmod 700 ${data}` }
    ])
  })

  it('that others may only read and enter are none', async () => {
    chmodSync(data, 0o755)
    expect(await folderFaults(data)).toEqual([])
  })

  it.each(['db', 'certs', 'api', 'boards'])('keep %s from everybody else', async (name) => {
    const folder = join(data, name)
    mkdirSync(folder, { mode: 0o700 })
    expect(await folderFaults(data)).toEqual([])
    chmodSync(folder, 0o710)
    expect(await folderFaults(data)).toEqual([
      { what: 'Others on this machine may read what is private', where: folder, do: `chmod 700 ${folder}` }
    ])
  })

  it.each(['secrets.json', 'certs/ca-key.pem', 'certs/broker-key.pem'])('keep %s from everybody else', async (name) => {
    mkdirSync(join(data, 'certs'), { mode: 0o700 })
    const file = join(data, name)
    writeFileSync(file, '', { mode: 0o600 })
    expect(await folderFaults(data)).toEqual([])
    chmodSync(file, 0o604)
    expect(await folderFaults(data)).toEqual([
      { what: 'Others on this machine may read what is private', where: file, do: `chmod 600 ${file}` }
    ])
  })

  it('are one fault where the file system keeps none, as chmod would not help', async () => {
    mkdirSync(join(data, 'certs'))
    for (const name of ['secrets.json', 'certs/ca-key.pem']) writeFileSync(join(data, name), '', { mode: 0o666 })
    expect(await folderFaults(data, () => false)).toMatchObject([
      { where: data, do: expect.stringContaining('umask=077') as string }
    ])
  })

  it('let other files, such as the CA for the boards, be read', async () => {
    mkdirSync(join(data, 'certs'), { mode: 0o700 })
    writeFileSync(join(data, 'certs', 'ca.pem'), '', { mode: 0o644 })
    expect(await folderFaults(data)).toEqual([])
  })

  it('that stop the person who runs this are a fault', async () => {
    const file = join(data, 'in-place-of-the-folder')
    writeFileSync(file, '', { mode: 0o600 })
    expect(await folderFaults(file)).toEqual([
      {
        what: 'The data folder cannot be read and written by the person who runs this',
        where: file,
        do: expect.stringContaining('as the owner of the folder')
      }
    ])
  })
})

describe('the room on the disk', () => {
  beforeEach(() => mkdirSync(join(data, 'db'), { mode: 0o700 }))

  it('is enough while the database fits once more', async () => {
    sparse(join(data, 'db', 'batti.db'), Math.floor(freeBytesAt(data) / 2))
    expect(await folderFaults(data)).toEqual([])
  })

  it('is too little when no copy of the database fits', async () => {
    sparse(join(data, 'db', 'batti.db'), freeBytesAt(data) * 2)
    expect(await folderFaults(data)).toEqual([
      {
        what: expect.stringMatching(/^Only \d+ MiB are free on the disk$/),
        where: data,
        do: expect.stringContaining('no backup fits')
      }
    ])
  })
})

describe('the logs', () => {
  const logs = (): string => join(data, 'logs')
  beforeEach(() => {
    mkdirSync(logs())
    sparse(join(logs(), 'api.log'), 120 * mebibyte)
  })

  it('may fill 200 MiB together', async () => {
    sparse(join(logs(), 'broker.log'), 80 * mebibyte)
    expect(await folderFaults(data)).toEqual([])
  })

  it('are too large above that', async () => {
    sparse(join(logs(), 'broker.log'), 81 * mebibyte)
    expect(await folderFaults(data)).toEqual([
      {
        what: 'The logs have grown to 201 MiB',
        where: logs(),
        do: expect.stringContaining('LOG_LEVEL=warn')
      }
    ])
  })
})
