import { runToEnd, testFolder } from '@batti/kit/node/testing'
import { chownSync, mkdirSync, rmSync, statSync } from 'node:fs'
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

it.runIf(process.platform === 'linux')('is taken once when several come after a process that was killed', async () => {
  const script = `import { takeFolder } from ${JSON.stringify(join(import.meta.dirname, 'folder-lock.ts'))}
    await takeFolder({ folder: ${JSON.stringify(folder)} })
    process.kill(process.pid, 'SIGKILL')`
  runToEnd(process.execPath, ['--input-type=module', '--eval', script])
  // With the file in the folder, all but one would be refused before they look at the socket.
  rmSync(folder, { recursive: true })
  const taken = await Promise.allSettled([takeFolder({ folder }), takeFolder({ folder }), takeFolder({ folder })])
  const releases = taken.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  expect(releases).toHaveLength(1)
  for (const release of releases) release()
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
