import { runToEnd, testFolder } from '@batti/kit/node/testing'
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { beforeEach, describe, expect, it } from 'vitest'
import { startServerProcess } from './testing/server-process.ts'

describe('the server program', () => {
  let data: string
  beforeEach(() => {
    data = testFolder('main')
  })

  it('listens on a socket that only its owner can open, and keeps its data over a restart', async () => {
    const first = await startServerProcess(data)
    expect(first.uri).toMatch(/^mongodb:\/\/%2F.*mongo\.sock\/batti\?directConnection=true$/)
    expect(statSync(data).mode & 0o777).toBe(0o700)
    const client = await MongoClient.connect(first.uri)
    const session = client.startSession()
    await session.withTransaction(() => client.db().collection('things').insertOne({ a: 1 }, { session }))
    await session.endSession()
    await client.close()
    await first.stop()
    expect(first.child.exitCode).toBe(0)
    const second = await startServerProcess(data, ['--port', '0'])
    expect(second.uri).toMatch(/^mongodb:\/\/127\.0\.0\.1:\d+\//)
    const again = await MongoClient.connect(second.uri)
    expect(await again.db().collection('things').countDocuments()).toBe(1)
    await again.close()
    await second.stop()
  })

  it.each(['100% mine', 'a%41b'])('answers when its folder is called %j', async (name) => {
    const server = await startServerProcess(join(data, name))
    const client = await MongoClient.connect(server.uri)
    expect(await client.db().command({ ping: 1 })).toMatchObject({ ok: 1 })
    await client.close()
    await server.stop()
  })

  it('says in one sentence why it does not start', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    await expect(startServerProcess(data, ['--port', String(port)])).rejects.toThrow(/already in use/)
    other.close()
    writeFileSync(join(data, 'batti.db'), 'x'.repeat(5000))
    await expect(startServerProcess(data)).rejects.toThrow(/damaged or not a database/)
  })

  it('refuses a second server in its folder', async () => {
    const first = await startServerProcess(data)
    await expect(startServerProcess(data, ['--port', '0'])).rejects.toThrow(/in use by another process/)
    // Also under the command line of mongod.
    const mongod = join(import.meta.dirname, 'mongod.ts')
    const refused = runToEnd(process.execPath, [mongod, '--dbpath', data, '--port', '0'])
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(/in use by another process/) })
    await first.stop()
  })

  describe.skipIf(process.platform === 'win32')('in a folder that another container serves', () => {
    /** As in another container, which has a temporary folder of its own. */
    const elsewhere = (): NodeJS.ProcessEnv => ({ ...process.env, TMPDIR: mkdtempSync(join(data, 'tmp-')) })

    it.each([
      ['on a socket', []],
      ['on a port', ['--port', '0']]
    ])('%s, refuses until that one is killed', async (_, there) => {
      const first = await startServerProcess(data, there, elsewhere())
      await expect(startServerProcess(data, ['--port', '0'])).rejects.toThrow(/in use by another process/)
      // A killed server leaves its socket and the locked file behind.
      await first.kill()
      const next = await startServerProcess(data, ['--port', '0'])
      await next.stop()
    })

    it('refuses under another name of the folder, too', async () => {
      const name = `${data}-link`
      symlinkSync(data, name)
      try {
        const first = await startServerProcess(data, ['--port', '0'])
        await expect(startServerProcess(name, ['--port', '0'])).rejects.toThrow(/in use by another process/)
        await first.stop()
      } finally {
        rmSync(name)
      }
    })
  })

  it('takes only a number as a port', async () => {
    await expect(startServerProcess(data, ['--port', 'soon'])).rejects.toThrow(/--port must be 0 to 65535, not soon/)
  })
})
