import { testFolder } from '@batti/kit/node/testing'
import { takeFolder } from '@batti/embedded-mongo/folder-lock'
import { systemClock, type Timers } from '@batti/kit/clock'
import { existsSync, rmdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { takeDataFolder } from './data-folder.ts'
import { LaunchError } from '../launch-error.ts'
import { createRunRecord } from '../parts/run-record.ts'

let data: string
beforeEach(() => {
  data = testFolder('taken')
})

/** Every wait ends at once; `waiting` is called for each. */
function impatient(waiting: () => void = () => undefined): Timers {
  let passed = 0
  return {
    now: () => systemClock.now(),
    monotonic: () => passed,
    after(delayMs, run) {
      passed += delayMs
      waiting()
      setImmediate(run)
      return () => undefined
    }
  }
}

const take = (clock: Timers, hasDatabase = true): Promise<void> =>
  takeDataFolder(data, { record: createRunRecord(data, process.pid), clock, hasDatabase })

it('refuses a folder whose database runs without a record of it, and leaves no record there', async () => {
  const release = await takeFolder({ folder: join(data, 'db') })
  await expect(take(impatient())).rejects.toThrow(
    `${data} is in use by another process: stop Batti there, or choose another folder with --data.`
  )
  expect(existsSync(join(data, 'run.json'))).toBe(false)
  release()
})

it('waits until a process that was just ended releases the database', async () => {
  const release = await takeFolder({ folder: join(data, 'db') })
  await take(impatient(release))
  expect(existsSync(join(data, 'run.json'))).toBe(true)
})

it('does not check the folder when another database is used', async () => {
  const release = await takeFolder({ folder: join(data, 'db') })
  await take(impatient(), false)
  expect(existsSync(join(data, 'run.json'))).toBe(true)
  release()
})

it.runIf(process.platform !== 'win32')(
  'names the temporary folder if that is unusable, and not another user of the data folder',
  async () => {
    const nowhere = join(data, 'no', 'tmp')
    vi.stubEnv('TMPDIR', nowhere)
    try {
      const refused = take(impatient())
      await expect(refused).rejects.toBeInstanceOf(LaunchError)
      await expect(refused).rejects.toThrow(/no\/tmp\/batti-.*TMPDIR/)
    } finally {
      vi.unstubAllEnvs()
    }
  }
)

it('names the command that gives a folder to the user who runs this, except the root folder', async () => {
  const takeOfAnother = (path: string, leave: () => void = () => undefined): Promise<void> => {
    const clear = (): void => {
      leave()
      throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
    }
    const record = { ...createRunRecord(path, process.pid), clear }
    return takeDataFolder(path, { record, clock: impatient(), hasDatabase: false })
  }
  await expect(takeOfAnother('/')).rejects.toThrow('written to (EACCES): choose another one with --data.')
  const given = `give it to the user who runs Batti (chown -R USER ${data}), or choose another`
  await expect(takeOfAnother(data)).rejects.toThrow(given)
  const isMissing = takeOfAnother(data, () => rmdirSync(data))
  await expect(isMissing).rejects.toThrow(given.replace('chown -R USER', 'install -d -o USER'))
})

it.runIf(process.platform !== 'win32')('makes no home where the disk behind a link is not mounted', async () => {
  const target = join(data, 'disk', 'batti')
  const path = join(data, 'link')
  symlinkSync(target, path)
  const taken = takeDataFolder(path, {
    record: createRunRecord(path, process.pid),
    clock: impatient(),
    hasDatabase: false
  })
  await expect(taken).rejects.toThrow(`${path} cannot be the data folder, it is a link to a missing folder`)
  expect(existsSync(target)).toBe(false)
})
