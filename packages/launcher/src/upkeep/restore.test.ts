import { watchDisk } from '@batti/kit/node/testing'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readSettings } from '../config.ts'
import { writeArchive } from './archive.ts'
import { describeInstallation } from './installation.ts'
import { restore } from './restore.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'batti-restore-'))
})
afterEach(() => rmSync(home, { recursive: true }))

it.runIf(process.platform !== 'win32')(
  'puts everything on the disk before it takes the place of what was there',
  async () => {
    const [source, data, file] = ['source', 'data', 'home.tar.gz'].map((name) => join(home, name)) as [
      string,
      string,
      string
    ]
    mkdirSync(join(source, 'certs'), { recursive: true })
    for (const name of ['secrets.json', 'certs/ca.pem']) writeFileSync(join(source, name), name)
    await writeArchive(source, file, { version: '1.0.0', madeAt: '2026-01-01T00:00:00.000Z', database: 'elsewhere' })
    mkdirSync(data)
    writeFileSync(join(data, 'home.json'), '{}')

    const installation = describeInstallation(data, readSettings({}))
    const seen = await watchDisk(() => restore(installation, file, 'now'))

    const staged = (name: string): string => `sync ${join(`${data}.restoring`, name)}`
    const swap = seen.indexOf(`rename ${data}`)
    expect(seen.slice(0, swap).toSorted()).toEqual(['', 'certs', 'certs/ca.pem', 'secrets.json'].map(staged).toSorted())
    expect(seen.slice(swap)).toEqual([`rename ${data}`, `rename ${data}.restoring`, `sync ${home}`])
    expect(readdirSync(data).toSorted()).toEqual(['certs', 'secrets.json'])
    expect(existsSync(`${data}.before-restore-now`)).toBe(true)
  }
)

it.runIf(process.platform !== 'win32')(
  'leaves the folder with the user whose it was, also where root restores',
  async () => {
    const [source, data, file] = [join(home, 'source'), join(home, 'data'), join(home, 'home.tar.gz')]
    mkdirSync(join(source, 'certs'), { recursive: true })
    writeFileSync(join(source, 'certs/ca.pem'), 'a CA')
    await writeArchive(source, file, { version: '1.0.0', madeAt: '2026-01-01T00:00:00.000Z', database: 'elsewhere' })
    mkdirSync(data)
    // Only root can have restored for somebody else.
    if (process.getuid?.() === 0) chownSync(data, 4242, 4242)
    const { uid, gid } = statSync(data)

    await restore(describeInstallation(data, readSettings({})), file, 'now')

    for (const path of [data, join(data, 'certs'), join(data, 'certs/ca.pem')])
      expect(statSync(path), path).toMatchObject({ uid, gid })
  }
)
