import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { dataFolderAt } from './data-folder.ts'
import { FolderInUse, takeFolder } from './folder-lock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'batti-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

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
