import { until } from '@batti/kit/testing'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { boundConnections, connectionsMax, endUnreadAnswers, openFilesMax } from './connection-limits.ts'

let server: Server
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

async function listen(listener: RequestListener): Promise<void> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
}
const request = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`

/** Reads nothing by itself. */
async function open(sent = ''): Promise<Socket> {
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  sockets.push(socket)
  await once(socket, 'connect')
  socket.write(sent)
  return socket
}
const openCount = (): Promise<number> =>
  new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))

test('a download that nobody reads is ended; an upgraded socket may be idle', async () => {
  await listen((_request, response) => void response.end(Buffer.alloc(64 * 1024 * 1024)))
  endUnreadAnswers(server, 200)
  server.on('upgrade', ({ socket }) => {
    sockets.push(socket)
    socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
  })
  const upgraded = await open(request('/', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'))
  await once(upgraded, 'data')
  const unread = await open(request('/'))
  await until('one connection is left', async () => (await openCount()) === 1)
  expect(upgraded.closed).toBe(false)
  unread.resume()
  await until('the unread answer is closed', () => unread.closed)
})

test('a slow answer is awaited', async () => {
  await listen(({ socket }, response) => void socket.once('timeout', () => response.end('at last')))
  endUnreadAnswers(server, 100)
  const socket = await open(request('/', 'Connection: close\r\n'))
  const answer = (await socket.toArray()).join('')
  expect(answer).toMatch(/at last$/)
})

test('an address has a share of all connections, and may replace those that it closes', async () => {
  await listen((_request, response) => void response.end('heard'))
  boundConnections(server, { all: 100, each: 2, isProxy: () => false })
  const [first, second] = [await open(request('/')), await open(request('/'))]
  await Promise.all([once(first, 'data'), once(second, 'data')])
  const third = await open(request('/'))
  third.resume()
  await until('the third connection is closed', () => third.closed)
  expect(third.bytesRead).toBe(0)
  first.destroy()
  await until('one connection is left', async () => (await openCount()) === 1)
  await once(await open(request('/')), 'data')
})

test('a proxy may have all connections', async () => {
  await listen((_request, response) => void response.end('heard'))
  boundConnections(server, { all: 100, each: 1, isProxy: (address) => address === '127.0.0.1' })
  for (let count = 0; count < 3; count += 1) await once(await open(request('/')), 'data')
  expect(await openCount()).toBe(3)
})

test('the total leaves file descriptors for the rest of the process', () => {
  expect(connectionsMax(20_000)).toBe(6000)
  expect(connectionsMax(1024)).toBe(307)
  expect(connectionsMax(1_048_576)).toBe(20_000)
  expect(openFilesMax() ?? Infinity).toBeGreaterThan(100)
})
