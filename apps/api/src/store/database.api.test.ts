import { createDatabaseName, databaseUri, startTestDatabase } from '@batti/embedded-mongo/testing'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toAppError } from '../http/error-handler.ts'
import { connectDatabase, pingDatabase } from './database.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let connection: Awaited<ReturnType<typeof connectDatabase>>
let line: Awaited<ReturnType<typeof startLine>>

beforeAll(async () => {
  database = await startTestDatabase()
  line = await startLine(database.uri)
  connection = await connectDatabase(databaseUri(line.uri, createDatabaseName('away')))
}, 60_000)
afterAll(async () => {
  line.freeze(false)
  await connection.dropDatabase()
  await connection.close()
  await line.stop()
  await database.stop()
})

const answersOf = async (calls: number) =>
  Promise.all(
    Array.from({ length: calls }, async () => {
      try {
        return await connection.collection('things').findOne({})
      } catch (error) {
        return toAppError(error).code
      }
    })
  )

// More calls than the pool has connections: some wait for a connection, some for a new one's greeting, some for an answer.
test('a frozen database is told to every caller as unavailable, and is used again when it thaws', async () => {
  line.freeze(true)
  expect(new Set(await answersOf(40))).toEqual(new Set(['UNAVAILABLE']))
  line.freeze(false)
  await expect.poll(() => pingDatabase(connection), { timeout: 15_000 }).toBe(true)
  expect(await answersOf(2)).toEqual([null, null])
}, 20_000)

test('a start waits for its database only so long', async () => {
  line.freeze(true)
  await expect(connectDatabase(line.uri, 1500)).rejects.toThrow()
  line.freeze(false)
}, 20_000)

/** The way to the database, which can be held so that bytes go neither way and nothing is closed. */
async function startLine(uri: string) {
  const { host } = new URL(uri)
  const path = decodeURIComponent(host)
  const [name = '', port = '27017'] = host.split(':')
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server: Server = createServer((inbound) => {
    const outbound = path.startsWith('/') ? connect(path) : connect(Number(port), name)
    for (const [from, to] of [
      [inbound, outbound],
      [outbound, inbound]
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes: Buffer) => to.write(bytes))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (isFrozen) from.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return {
    uri: `mongodb://127.0.0.1:${address.port}/?directConnection=true`,
    freeze(frozen: boolean): void {
      isFrozen = frozen
      for (const socket of sockets) {
        if (frozen) socket.pause()
        else socket.resume()
      }
    },
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
