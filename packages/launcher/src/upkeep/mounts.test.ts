import { openDataFolder } from '@batti/embedded-mongo/data-folder'
import { openEngine } from '@batti/embedded-mongo/engine'
import { checkFile } from '@batti/embedded-mongo/maintenance/integrity'
import { runToEnd, testFolder } from '@batti/kit/node/testing'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, it } from 'vitest'
import { plainEnv } from '../testing/start-product.ts'

let home: string
let data: string
beforeEach(() => {
  home = testFolder('mounts')
  data = join(home, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'secrets.json'), 'of before')
  openEngine({ path: openDataFolder(join(data, 'db')).file }).close()
})

/** Only Linux has mounts that end with a process, and not every container allows them. */
const hasMounts = process.platform === 'linux' && runToEnd('unshare', ['-rm', 'true']).status === 0

/** Returns the command that runs another one after the data folder was mounted over itself, with `options`. */
function mounted(options: string): string[] {
  const script = 'mount --bind "$1" "$1" && mount -o "remount,bind,$2" "$1" && shift 2 && exec "$@"'
  return ['unshare', '-rm', 'sh', '-c', script, 'sh', data, options]
}

const upkeep = (options: string, command: 'backup' | 'restore' | 'doctor'): string =>
  upkeepOf(command, mounted(options))

/** Runs a command of upkeep with a copy of the data folder on a full disk in its place. */
function upkeepOnFullDisk(command: 'backup' | 'doctor'): string {
  const script = `set -e
    cp -a "$1" "$1.copy"
    mount -t tmpfs -o size=1m tmpfs "$1"
    cp -a "$1.copy/." "$1"
    rm -r "$1.copy"
    dd if=/dev/zero of="$1/fill" bs=1k count=1024 2>/dev/null || true
    shift
    exec "$@"`
  return upkeepOf(command, ['unshare', '-rm', 'sh', '-c', script, 'sh', data])
}

/** Runs a command of upkeep, by the program that `through` begins with. */
function upkeepOf(command: 'backup' | 'restore' | 'doctor', through: readonly string[] = []): string {
  const cli = join(import.meta.dirname, 'cli.ts')
  const file = command === 'doctor' ? [] : [join(home, 'home.tar.gz')]
  return outputOf([...through, process.execPath, cli, command, ...file, '--data', data])
}

function outputOf([program = '', ...args]: readonly string[]): string {
  const ran = runToEnd(program, args, { env: plainEnv() })
  return ran.stdout + ran.stderr
}

it.runIf(hasMounts)(
  'a home whose disk has become read-only can be backed up to another; a mount point is not replaced',
  async () => {
    expect(upkeep('ro', 'backup')).toBe(`Backed up to ${join(home, 'home.tar.gz')}: 2 files.\n`)
    expect(upkeep('rw', 'restore')).toMatch(/data is a mount point, .* Nothing was changed\.\n$/)
    expect(readFileSync(join(data, 'secrets.json'), 'utf8')).toBe('of before')
    expect(await checkFile(join(data, 'db/batti.db'))).toEqual([])
  }
)

it.runIf(hasMounts)(
  'a database that was killed is backed up from a read-only disk with its latest commits',
  async () => {
    const file = join(data, 'db/batti.db')
    const engine = openEngine({ path: file })
    engine.store.writer.exec('CREATE TABLE of_the_log(id INTEGER)')
    for (const suffix of ['', '-wal']) copyFileSync(file + suffix, join(home, `killed${suffix}`))
    engine.close()
    for (const suffix of ['', '-wal']) renameSync(join(home, `killed${suffix}`), file + suffix)
    expect(upkeep('ro', 'backup')).toBe(`Backed up to ${join(home, 'home.tar.gz')}: 2 files.\n`)
    rmSync(data, { recursive: true })
    expect(upkeepOf('restore')).toMatch(/^Restored /)
    const restored = new DatabaseSync(file, { readOnly: true })
    expect(restored.prepare('SELECT name FROM sqlite_schema WHERE name = ?').all('of_the_log')).toHaveLength(1)
    restored.close()
  }
)

it.runIf(hasMounts)('a home whose disk has become read-only is not told to use another folder, or a backup', () => {
  const launcher = join(import.meta.dirname, '../launch/main.ts')
  const said = outputOf([
    ...mounted('ro'),
    process.execPath,
    launcher,
    '--data',
    data,
    '--port',
    '0',
    '--mqtt-port',
    '0'
  ])
  expect(said).toMatch(/ is on a disk that can only be read\. Mount it for writing, and try again\.\n$/)
  expect(said.split('\n')).toHaveLength(2)
  const faults = upkeep('ro', 'doctor')
  expect(faults).toContain('The data folder is on a disk that can only be read')
  expect(faults).not.toContain('restore')
})

it.runIf(hasMounts)('a home on a full disk can be backed up to another, and needs no repair', () => {
  const said = upkeepOnFullDisk('doctor')
  expect(said).toContain('Make room on the disk: nothing has to be repaired.')
  expect(said).not.toContain('restore')
  expect(upkeepOnFullDisk('backup')).toBe(`Backed up to ${join(home, 'home.tar.gz')}: 2 files.\n`)
  rmSync(data, { recursive: true })
  expect(upkeepOf('restore')).toMatch(/^Restored /)
})

it.runIf(process.platform !== 'win32')('a restore to a link waits for the disk that it leads to', () => {
  upkeepOf('backup')
  rmSync(data, { recursive: true })
  symlinkSync(join(home, 'disk/batti'), data)
  expect(upkeepOf('restore')).toBe(
    `${data} is a link to ${join(home, 'disk/batti')}, which is missing: is its disk mounted? If that disk is new, make the folder first.\n`
  )
  expect(existsSync(join(home, 'disk'))).toBe(false)
  mkdirSync(join(home, 'disk/batti'), { recursive: true })
  expect(upkeepOf('restore')).toMatch(/^Restored /)
})
