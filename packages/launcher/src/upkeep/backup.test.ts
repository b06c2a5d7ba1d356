import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setImmediate } from 'node:timers/promises'
import { startServerProcess } from '@batti/embedded-mongo/testing/server-process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { plainEnv } from '../testing/start-product.ts'
import { readSettings } from '../config.ts'
import { readArchive } from './archive.ts'
import { backUp } from './backup.ts'
import { describeInstallation } from './installation.ts'
import { forgetMove, noteMove } from './moved.ts'

const root = join(import.meta.dirname, '../../../..')
const patientMs = 120_000
const home = mkdtempSync(join(tmpdir(), 'batti-backup-'))
const data = join(home, 'data')

beforeAll(async () => {
  const server = await startServerProcess(join(data, 'db'), ['--port', '0'])
  await server.stop()
}, patientMs)
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))

it('contains a picture that is removed while the database that names it is copied', async () => {
  const picture = join(data, 'api/pictures/front.webp')
  mkdirSync(dirname(picture), { recursive: true })
  writeFileSync(picture, 'a picture')
  const staging = join(home, '.whole.tar.gz.staging')
  const made = backUpTo('whole.tar.gz')
  while (!existsSync(join(staging, 'db'))) await setImmediate()
  rmSync(picture)
  expect(await picturesIn(await made)).toEqual(['front.webp'])
})

it(
  'contains a picture that is uploaded after its folder was copied, and removed while the database is copied',
  async () => {
    const pictures = join(data, 'api/pictures')
    mkdirSync(pictures, { recursive: true })
    // Large enough that the folder is read before this is copied, and sparse, so that it needs little space.
    writeFileSync(join(pictures, 'large.webp'), '')
    truncateSync(join(pictures, 'large.webp'), 2 ** 27)
    const staging = join(home, '.between.tar.gz.staging')
    const made = backUpTo('between.tar.gz')
    while (!existsSync(join(staging, 'api/pictures/large.webp'))) await setImmediate()
    writeFileSync(join(pictures, 'late.webp'), 'a picture')
    const [database, begun] = [join(staging, 'db/batti.db'), join(staging, 'db/batti.db.partial')]
    // A small database may be copied between two looks; its copy is there while the archive is written.
    while (!hasContent(begun) && !existsSync(database)) await setImmediate()
    rmSync(join(pictures, 'late.webp'))
    expect(await picturesIn(await made)).toEqual(['large.webp', 'late.webp'])
  },
  patientMs
)

it('never holds the database of one home and the keys of another that a restore puts in its place', async () => {
  const other = join(home, 'other')
  cpSync(data, other, { recursive: true })
  const staging = join(home, '.mixed.tar.gz.staging')
  const made = backUpTo('mixed.tar.gz')
  while (!existsSync(join(staging, 'db'))) await setImmediate()
  renameSync(data, join(home, 'before'))
  renameSync(other, data)
  await expect(made).rejects.toThrow(`${data} was replaced during the backup, as a restore does: repeat the backup.`)
  expect(readdirSync(home).filter((name) => name.includes('mixed'))).toEqual([])
})

it('names the folder in which nothing can be made', async () => {
  writeFileSync(join(home, 'a-file'), '')
  await expect(backUpTo('a-file/whole.tar.gz')).rejects.toThrow(`No archive can be put into ${join(home, 'a-file')} (`)
})

it('contains nothing that was left half-written, by an upload or by a process that was killed', async () => {
  const unfinished = [
    'api/pictures/back.webp.1.part',
    'api/uploads/1',
    'api/notes/images~a.webp',
    'boards/AA.slot.part',
    'certs/ca.pem.new'
  ]
  const whole = ['api/pictures/front.webp', 'boards/AA.slot', 'certs/ca.pem']
  for (const name of [...unfinished, ...whole]) {
    mkdirSync(dirname(join(data, name)), { recursive: true })
    writeFileSync(join(data, name), name)
  }
  const unpacked = mkdtempSync(join(home, 'unpacked-'))
  const { files } = await readArchive(await backUpTo('whole-files.tar.gz'), unpacked)
  const names = files.map(({ path }) => path)
  expect(names).toEqual(expect.arrayContaining(whole))
  for (const name of unfinished) expect(names).not.toContain(name)
  for (const folder of ['api', 'boards', 'certs']) rmSync(join(data, folder), { recursive: true })
})

it.runIf(process.platform !== 'win32')('contains what links in the data folder lead to', async () => {
  const elsewhere = join(home, 'elsewhere')
  const names = ['api/pictures/front.webp', 'certs/ca-key.pem', 'secrets.json']
  for (const name of names) {
    mkdirSync(dirname(join(elsewhere, name)), { recursive: true })
    writeFileSync(join(elsewhere, name), name)
  }
  const links = ['api', 'certs', 'secrets.json'].map((name) => join(data, name))
  for (const link of links) symlinkSync(join(elsewhere, basename(link)), link)
  const { files } = await readArchive(await backUpTo('links.tar.gz'), mkdtempSync(join(home, 'unpacked-')))
  expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(names))
  // The disk of the uploads is not mounted.
  rmSync(join(elsewhere, 'api'), { recursive: true })
  await expect(backUpTo('without.tar.gz')).rejects.toThrow(join(data, 'api'))
  expect(existsSync(join(home, 'without.tar.gz'))).toBe(false)
  for (const link of links) rmSync(link)
})

const hasContent = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0

/** Makes a backup and returns its file. */
async function backUpTo(name: string): Promise<string> {
  const file = join(home, name)
  const about = { version: '1.0.0', madeAt: '2026-01-01T00:00:00.000Z' }
  await backUp(describeInstallation(data, readSettings({})), file, about)
  return file
}

/** Returns the names of the pictures in an archive, and removes all uploads of the installation. */
async function picturesIn(file: string): Promise<string[]> {
  const unpacked = mkdtempSync(join(home, 'unpacked-'))
  await readArchive(file, unpacked)
  rmSync(join(data, 'api'), { recursive: true })
  return readdirSync(join(unpacked, 'api/pictures')).toSorted()
}

/**
 * Returns what a process imports to send itself a signal as soon as a file is there: another process might be too slow to
 * see it.
 */
function signalWhenThere(path: string, signal: NodeJS.Signals): string {
  const script = `import { existsSync } from 'node:fs'
    const look = () =>
      existsSync(${JSON.stringify(path)}) ? process.kill(process.pid, '${signal}') : setImmediate(look).unref()
    setImmediate(look).unref()`
  return `data:text/javascript,${encodeURIComponent(script)}`
}

it.each([
  ['SIGTERM', 143, '.ended.tar.gz.staging'],
  ['SIGINT', 130, 'ended.tar.gz.partial']
] as const)(
  'leaves nothing of a backup that %s ends',
  async (signal, code, made) => {
    // Large enough that the signal arrives while it is copied and packed, and sparse, so that it needs little space.
    mkdirSync(join(data, 'api'), { recursive: true })
    writeFileSync(join(data, 'api/large.webp'), '')
    truncateSync(join(data, 'api/large.webp'), 2 ** 28)
    const cli = join(import.meta.dirname, 'cli.ts')
    const args = [cli, 'backup', join(home, 'ended.tar.gz'), '--data', data]
    const child = spawn(process.execPath, ['--import', signalWhenThere(join(home, made), signal), ...args], {
      env: plainEnv()
    })
    expect(await once(child, 'close')).toEqual([code, null])
    expect(readdirSync(home).filter((name) => name.includes('ended'))).toEqual([])
    rmSync(join(data, 'api'), { recursive: true })
  },
  patientMs
)

/** Makes a backup by the command. */
const runBackup = (file: string): Promise<{ code: number | null; said: string }> =>
  new Promise((done) => {
    const args = [join(import.meta.dirname, 'cli.ts'), 'backup', file, '--data', data]
    const child = execFile(process.execPath, args, { env: plainEnv() }, (_, out, err) =>
      done({ code: child.exitCode, said: out + err })
    )
  })

it(
  'to one file is made once: another one at the same time is refused, and takes nothing from the first',
  async () => {
    const file = join(home, 'twice.tar.gz')
    const said = (await Promise.all([1, 2, 3].map(() => runBackup(file)))).map((run) => run.said)
    const refusals = [
      `Another backup to ${file} is being made.\n`,
      `${file} exists already; a backup never overwrites a file.\n`
    ]
    expect(said.filter((words) => words.startsWith(`Backed up to ${file}`))).toHaveLength(1)
    expect(said.filter((words) => refusals.includes(words))).toHaveLength(2)
    expect(readdirSync(home).filter((name) => name.includes('twice'))).toEqual(['twice.tar.gz'])
  },
  patientMs
)

it('contains nothing of another one to the same file that is refused meanwhile', async () => {
  const staging = join(home, '.alone.tar.gz.staging')
  const made = backUpTo('alone.tar.gz')
  while (!existsSync(join(staging, 'db'))) await setImmediate()
  await expect(backUpTo('alone.tar.gz')).rejects.toThrow('Another backup to')
  const { files } = await readArchive(await made, mkdtempSync(join(home, 'unpacked-')))
  expect(files.map(({ path }) => path)).toEqual(['db/batti.db'])
})

it(
  'is not made of a database that was moved elsewhere, unless requested',
  async () => {
    noteMove(data, 'mongodb://there/batti', '2026-01-02T03:04:05.000Z')
    const run = await runBackup(join(home, 'stale.tar.gz'))
    forgetMove(data)
    expect(run).toEqual({
      code: 1,
      said: expect.stringMatching(
        /^The data were moved to mongodb:\/\/there\/batti on 2026-01-02, .* to go on here\.\n$/
      )
    })
    expect(readdirSync(home).filter((name) => name.includes('stale'))).toEqual([])
  },
  patientMs
)

it(
  'is made daily by a script that ends on request, and removes what a killed backup left',
  async () => {
    const folder = join(home, 'daily')
    const old = ['.batti-old.tar.gz.staging', 'batti-old.tar.gz.partial', 'foreign.partial']
    for (const name of [...old, '.batti-under-way.tar.gz.staging'])
      mkdirSync(join(folder, name, 'db'), { recursive: true })
    const twoDaysAgo = Date.now() / 1000 - 2 * 86_400
    for (const name of old) utimesSync(join(folder, name), twoDaysAgo, twoDaysAgo)
    const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`
    const child = spawn('sh', ['deploy/backup.sh'], {
      cwd: root,
      env: { ...plainEnv(), PATH: path, DATA: data, BACKUPS: folder },
      stdio: ['ignore', 'pipe', 'inherit']
    })
    const closed = once(child, 'close')
    await once(createInterface({ input: child.stdout }), 'line')
    child.kill('SIGTERM')
    expect(await closed).toEqual([0, null])
    expect(readdirSync(folder).toSorted()).toEqual([
      '.batti-under-way.tar.gz.staging',
      expect.stringMatching(/^batti-[\dT-]+\.tar\.gz$/),
      'foreign.partial'
    ])
  },
  patientMs
)

it(
  'is made by a script that removes old archives after a new one; while it fails, it removes none and tries again soon',
  async () => {
    const folder = join(home, 'kept')
    mkdirSync(join(folder, 'by-hand'), { recursive: true })
    const old = ['by-hand/batti-before.tar.gz', 'batti-22-days.tar.gz', 'batti-21-days.tar.gz', 'batti-20-days.tar.gz']
    for (const [index, name] of old.entries()) {
      const at = Date.now() / 1000 - (23 - index) * 86_400
      writeFileSync(join(folder, name), 'an archive')
      utimesSync(join(folder, name), at, at)
    }
    const left = (): string[] => old.filter((name) => existsSync(join(folder, name)))
    expect(await backUpOnce(folder, join(home, 'nowhere'))).toBe(900)
    expect(left()).toEqual(old)
    // A clock that is weeks ahead would make all of them old: as many as there are days stay, with the new one.
    expect(await backUpOnce(folder, data)).toBe(86_400)
    expect(left()).toEqual(['by-hand/batti-before.tar.gz', 'batti-20-days.tar.gz'])
  },
  patientMs
)

/** Runs the daily script until it sleeps. Returns for how many seconds it would. */
async function backUpOnce(folder: string, from: string): Promise<number> {
  const bin = mkdtempSync(join(home, 'bin-'))
  writeFileSync(join(bin, 'sleep'), '#!/bin/sh\necho sleeps $1\nexec /bin/sleep "$1"\n', { mode: 0o700 })
  const path = [bin, dirname(process.execPath), process.env['PATH'] ?? ''].join(':')
  const child = spawn('sh', ['deploy/backup.sh'], {
    cwd: root,
    env: { ...plainEnv(), PATH: path, DATA: from, BACKUPS: folder, KEEP_DAYS: '2' },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const closed = once(child, 'close')
  let seconds = 0
  for await (const line of createInterface({ input: child.stdout })) {
    seconds = Number(/^sleeps (\d+)$/.exec(line)?.[1])
    if (seconds > 0) break
  }
  child.kill('SIGTERM')
  await closed
  return seconds
}
