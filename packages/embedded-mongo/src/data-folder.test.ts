import { testFolder } from '@batti/kit/node/testing'
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { dataFolderAt, defaultListen, takesSocket } from './data-folder.ts'

it.runIf(process.platform !== 'win32')(
  'a folder that can have a socket is served on it, with nothing left of the try',
  async () => {
    const folder = dataFolderAt(testFolder('socket'))
    expect(await defaultListen(folder)).toEqual({ path: folder.socket })
    expect(await takesSocket(folder)).toBe(true)
    expect(readdirSync(folder.folder)).toEqual([])
  }
)

// As the file systems of memory sticks, this one has no sockets.
it.runIf(process.platform === 'linux')('a folder whose file system has no sockets is served on loopback', async () => {
  expect(await defaultListen(dataFolderAt('/proc/self'))).toEqual({ port: 0 })
})
