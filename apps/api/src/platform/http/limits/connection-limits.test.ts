import { until } from '@batti/kit/testing'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { createBareServer, requestText as request } from '../../../testing/bare-server.ts'
import { boundConnections, connectionsMax, endUnreadAnswers } from './connection-limits.ts'

const { listen, open, destroyAtClose, close } = createBareServer()
afterEach(close)

const openCount = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))

test('a download that nobody reads is ended; an upgraded socket may be idle', async () => {
  const server = await listen((_request, response) => void response.end(Buffer.alloc(64 * 1024 * 1024)))
  endUnreadAnswers(server, 200)
  server.on('upgrade', ({ socket }) => {
    destroyAtClose(socket)
    socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
  })
  const upgraded = await open(request('/', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'))
  await once(upgraded, 'data')
  const unread = await open(request('/'))
  await until('one connection is left', async () => (await openCount(server)) === 1)
  expect(upgraded.closed).toBe(false)
  unread.resume()
  await until('the unread answer is closed', () => unread.closed)
})

test('a slow answer is awaited', async () => {
  const server = await listen(({ socket }, response) => void socket.once('timeout', () => response.end('at last')))
  endUnreadAnswers(server, 100)
  const socket = await open(request('/', 'Connection: close\r\n'))
  const answer = (await socket.toArray()).join('')
  expect(answer).toMatch(/at last$/)
})

test('an address has a share of all connections, and may replace those that it closes', async () => {
  const server = await listen((_request, response) => void response.end('heard'))
  boundConnections(server, { all: 100, each: 2, isProxy: () => false })
  const [first, second] = [await open(request('/')), await open(request('/'))]
  await Promise.all([once(first, 'data'), once(second, 'data')])
  const third = await open(request('/'))
  third.resume()
  await until('the third connection is closed', () => third.closed)
  expect(third.bytesRead).toBe(0)
  first.destroy()
  await until('one connection is left', async () => (await openCount(server)) === 1)
  await once(await open(request('/')), 'data')
})

test('a proxy may have all connections', async () => {
  const server = await listen((_request, response) => void response.end('heard'))
  boundConnections(server, { all: 100, each: 1, isProxy: (address) => address === '127.0.0.1' })
  for (let count = 0; count < 3; count += 1) await once(await open(request('/')), 'data')
  expect(await openCount(server)).toBe(3)
})

test('the total leaves file descriptors for the rest of the process', () => {
  expect(connectionsMax(20_000)).toBe(6000)
  expect(connectionsMax(1024)).toBe(307)
  expect(connectionsMax(1_048_576)).toBe(20_000)
})
