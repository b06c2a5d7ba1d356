import { testFolder } from '@batti/kit/node/testing'
import { chownSync, statSync } from 'node:fs'
import { beforeEach, expect, it } from 'vitest'
import { dataFolderAt } from './data-folder.ts'
import { FolderInUse, takeFolder } from './folder-lock.ts'

let folder: string
beforeEach(() => {
  folder = testFolder('lock')
})

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
