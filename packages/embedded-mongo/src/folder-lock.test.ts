import { testFolder } from '@batti/kit/node/testing'
import { chownSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { dataFolderAt } from './data-folder.ts'
import { FolderInUse, takeFolder } from './folder-lock.ts'

let folder: string
beforeEach(() => {
  folder = testFolder('lock')
})
afterEach(() => void vi.unstubAllEnvs())

it('is released, and can then be taken again', async () => {
  const release = await takeFolder({ folder })
  await expect(takeFolder({ folder })).rejects.toThrow(FolderInUse)
  release()
  const again = await takeFolder({ folder })
  again()
})

it.runIf(process.getuid?.() === 0)('leaves no file of root in a folder of somebody else', async () => {
  chownSync(folder, 4242, 4242)
  const release = await takeFolder({ folder })
  release()
  expect(statSync(dataFolderAt(folder).lock)).toMatchObject({ uid: 4242, gid: 4242 })
})

it.runIf(process.platform !== 'win32')('names a temporary folder whose path is too long for a socket', async () => {
  const long = join(folder, 'long-name-'.repeat(12))
  mkdirSync(long)
  vi.stubEnv('TMPDIR', long)
  await expect(takeFolder({ folder })).rejects.toThrow('set TMPDIR to a folder with a short path')
  vi.unstubAllEnvs()
  const release = await takeFolder({ folder })
  release()
})
