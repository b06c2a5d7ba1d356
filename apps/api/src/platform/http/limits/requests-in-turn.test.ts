import { once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { until } from '@batti/kit/testing'
import { createBareServer, requestText as get } from '../../../testing/bare-server.ts'
import { handleInTurn } from './requests-in-turn.ts'

const { listen: serve, open, close } = createBareServer()
afterEach(close)

const addressOf = ({ headers }: IncomingMessage) => String(headers['x-from'] ?? '192.0.2.1')
const listen = async (listener: RequestListener, waitingMax?: number): Promise<void> =>
  handleInTurn(await serve(listener), { addressOf, waitingMax })

test('of one connection one request is under way; another connection does not wait for it', async () => {
  const underWay = new Map<string, ServerResponse>()
  await listen((request, response) => void underWay.set(request.url ?? '', response))
  await open(get('/1') + get('/2') + get('/3'))
  await until('the first has begun', () => underWay.has('/1'))
  const other = await open(get('/other', 'Connection: close\r\n'))
  await until('the other has begun', () => underWay.has('/other'))
  expect([...underWay.keys()]).toEqual(['/1', '/other'])
  underWay.get('/other')?.end('heard')
  expect(await text(other)).toMatch(/heard$/)
  underWay.get('/1')?.end()
  await until('the second has begun', () => underWay.has('/2'))
  expect(underWay.has('/3')).toBe(false)
})

test('all are answered, in their order, also those with bodies', async () => {
  await listen((request, response) => {
    text(request).then(
      (body) => response.end(`${request.url} ${body};`),
      () => undefined
    )
  })
  const post = 'POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody'
  const socket = await open(get('/1') + post + get('/3') + get('/4', 'Connection: close\r\n'))
  expect((await text(socket)).match(/\/\d .*?;/g)).toEqual(['/1 ;', '/2 body;', '/3 ;', '/4 ;'])
})

test('a connection that was idle is used again', async () => {
  await listen((request, response) => void response.end(`heard ${request.url}`))
  const socket = await open(get('/1'))
  for (const path of ['/1', '/2', '/3']) {
    if (path !== '/1') socket.write(get(path))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toContain(`heard ${path}`)
  }
  socket.destroy()
})

test('a connection with more requests in the line than allowed is closed, and the others are served', async () => {
  let begun = 0
  await listen((request, response) => {
    begun += 1
    if (request.url === '/other') response.end('heard')
  }, 10)
  const flood = await open(get('/').repeat(5000))
  await until('the connection is closed', () => flood.closed)
  expect(await text(await open(get('/other', 'Connection: close\r\n')))).toMatch(/heard$/)
  expect(begun).toBe(2)
})

test('requests whose client has gone are not begun', async () => {
  const begun: ServerResponse[] = []
  await listen((_request, response) => void begun.push(response))
  const gone = await open(get('/1') + get('/2'))
  await until('the first has begun', () => begun.length === 1)
  gone.destroy()
  await until('the server has noticed', () => begun[0]?.closed)
  const other = await open(get('/other'))
  await until('the other has begun', () => begun.length > 1)
  expect(begun.at(-1)?.req.url).toBe('/other')
  other.destroy()
})

test('requests of many connections of an IPv6 network let one of another network pass', async () => {
  const begun: string[] = []
  let connected = 0
  const server = await serve(({ url = '' }, response) => {
    begun.push(url)
    response.end()
  })
  server.on('connection', () => (connected += 1))
  handleInTurn(server, { addressOf })
  const sockets: Socket[] = []
  for (let count = 0; count < 60; count += 1) sockets.push(await open())
  const other = await open()
  await until('all are connected', () => connected === 61)
  for (const [host, socket] of sockets.entries()) socket.write(get(`/${host}`, `X-From: 2001:db8:1:2::${host}\r\n`))
  other.write(get('/other', 'X-From: 2001:db8:1:3::1\r\n'))
  await until('all have begun', () => begun.length === 61)
  expect(begun.indexOf('/other')).toBeLessThanOrEqual(2)
})
