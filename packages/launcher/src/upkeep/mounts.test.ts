import { openDataFolder } from '@batti/embedded-mongo/data-folder'
import { openEngine } from '@batti/embedded-mongo/engine'
import { checkFile } from '@batti/embedded-mongo/maintenance/integrity'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { plainEnv } from '../testing/start-product.ts'

let home: string
let data: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'batti-mounts-'))
  data = join(home, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'secrets.json'), 'of before')
  openEngine({ path: openDataFolder(join(data, 'db')).file }).close()
})
afterEach(() => rmSync(home, { recursive: true }))

/** Only Linux has mounts that end with a process, and not every container allows them. */
const hasMounts = process.platform === 'linux' && spawnSync('unshare', ['-rm', 'true']).status === 0

/** Runs a command of upkeep after the data folder was mounted over itself, with `options`. */
function upkeep(options: string, command: 'backup' | 'restore'): string {
  const script = 'mount --bind "$1" "$1" && mount -o "remount,bind,$2" "$1" && shift 2 && exec "$@"'
  const cli = [
    process.execPath,
    join(import.meta.dirname, 'cli.ts'),
    command,
    join(home, 'home.tar.gz'),
    '--data',
    data
  ]
  const ran = spawnSync('unshare', ['-rm', 'sh', '-c', script, 'sh', data, options, ...cli], {
    env: plainEnv(),
    encoding: 'utf8'
  })
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
