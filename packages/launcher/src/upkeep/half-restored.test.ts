import { runToEnd, testFolder } from '@batti/kit/node/testing'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { readSettings } from '../config.ts'
import { plainEnv } from '../testing/start-product.ts'
import { writeArchive } from './archive.ts'
import { examine } from './doctor/doctor.ts'
import { refuseHalfRestored, restoringName } from './half-restored.ts'
import { describeInstallation } from './installation.ts'
import { restore } from './restore.ts'

let home: string
let data: string
beforeEach(() => {
  home = testFolder('half')
  data = join(home, 'data')
})

const settings = readSettings({})
const start = (): void => refuseHalfRestored(data)

async function writeHome(file: string): Promise<void> {
  const folder = mkdtempSync(join(home, 'archived-'))
  writeFileSync(join(folder, 'secrets.json'), 'of the archive')
  await writeArchive(folder, file, { version: '1.0.0', madeAt: '2026-01-01T00:00:00.000Z', database: 'elsewhere' })
}

/** Makes what a kill between the two renames of a restore leaves. */
async function interrupt(): Promise<void> {
  await writeHome(join(home, 'home.tar.gz'))
  mkdirSync(data)
  writeFileSync(join(data, 'secrets.json'), 'of before')
  for (const stamp of ['2026-01-01', '2026-01-02']) await restore(installation(), join(home, 'home.tar.gz'), stamp)
  renameSync(data, restoringName(data))
}
const installation = () => describeInstallation(data, settings)

describe('a restore that was killed before its folder took its place', () => {
  it.each([
    ['missing', () => undefined],
    ['empty', () => mkdirSync(data)]
  ])('is not followed by the start of an empty home, where the folder is %s', async (_, leave) => {
    await interrupt()
    leave()
    const said = `A restore was interrupted (${data}). Run it again, or remove ${data}.restoring and rename ${data}.before-restore-2026-01-02 back.`
    expect(start).toThrow(said)
    const [fault, ...others] = await examine(installation(), settings, 0)
    expect([fault?.what, others]).toEqual(['A restore was interrupted', []])
  })

  it('is remembered while it is repeated with an archive that is refused, and done with a good one', async () => {
    await interrupt()
    writeFileSync(join(home, 'damaged.tar.gz'), 'no archive')
    await expect(restore(installation(), join(home, 'damaged.tar.gz'), 'now')).rejects.toThrow('is damaged')
    expect(start).toThrow('A restore was interrupted')
    await restore(installation(), join(home, 'home.tar.gz'), 'now')
    expect(start).not.toThrow()
    expect(existsSync(restoringName(data))).toBe(false)
  })

  it.runIf(process.getuid?.() === 0)('is repeated by root for the owner of the folder that was set aside', async () => {
    await interrupt()
    chownSync(`${data}.before-restore-2026-01-02`, 4242, 4242)
    await restore(installation(), join(home, 'home.tar.gz'), 'now')
    expect([data, join(data, 'secrets.json')].map((path) => statSync(path).uid)).toEqual([4242, 4242])
  })

  it('can be given up, on a machine that had no home', () => {
    mkdirSync(restoringName(data))
    expect(start).toThrow(`Run it again, or remove ${data}.restoring to begin with nothing.`)
  })
})

it.runIf(process.platform !== 'win32')(
  'a restore to a link stays on the disk that it leads to, and is missed there when it was killed',
  async () => {
    const disk = join(home, 'disk')
    mkdirSync(join(disk, 'batti'), { recursive: true })
    writeFileSync(join(disk, 'batti/secrets.json'), 'of before')
    symlinkSync('disk/batti', data)
    await writeHome(join(home, 'home.tar.gz'))
    await restore(installation(), join(home, 'home.tar.gz'), 'now')
    expect(readFileSync(join(data, 'secrets.json'), 'utf8')).toBe('of the archive')
    expect(readdirSync(disk).toSorted()).toEqual(['batti', 'batti.before-restore-now'])
    expect(readlinkSync(data)).toBe('disk/batti')

    renameSync(join(disk, 'batti'), restoringName(join(disk, 'batti')))
    expect(start).toThrow(`A restore was interrupted (${join(disk, 'batti')}).`)
    await restore(installation(), join(home, 'home.tar.gz'), 'later')
    expect(start).not.toThrow()
    expect(readFileSync(join(data, 'secrets.json'), 'utf8')).toBe('of the archive')
  }
)

it('a start removes the keys that a restore left when it was killed while it unpacked', async () => {
  await interrupt()
  mkdirSync(data)
  writeFileSync(join(data, 'moved.json'), JSON.stringify({ to: 'mongodb://db.local/batti', movedAt: '2026-01-01' }))
  const launcher = join(import.meta.dirname, '../launch/main.ts')
  const { stderr } = runToEnd(process.execPath, [launcher, '--data', data], { env: plainEnv() })
  expect(stderr).toContain('The data were moved to')
  expect(existsSync(restoringName(data))).toBe(false)
})
