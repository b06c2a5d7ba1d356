import { until } from '@batti/kit/testing'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerBrokenRequests } from '../broken-requests.ts'
import { allowSlowBody, endSlowBodies } from './slow-bodies.ts'

const limits = { wholeMs: 300, windowMs: 200, windowBytes: 1000 }

let server: Server
let socket: Socket
/** Bytes of the body that the server has read. */
let taken: number
beforeEach(() => {
  taken = 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})
afterEach(async () => {
  vi.useRealTimers()
  socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

/** Begins a POST, and returns the server's answer and a function that sends a part of the body, which the server reads. */
async function begin(path: string, { length, isHalfOpen = false }: { length: number; isHalfOpen?: boolean }) {
  const begun = Promise.withResolvers<IncomingMessage>()
  server = createServer((request, response) => {
    if (request.url === '/upload') allowSlowBody(request)
    request.on('data', (bytes: Buffer) => (taken += bytes.length)).once('end', () => response.end('taken'))
    begun.resolve(request)
  })
  answerBrokenRequests(server)
  endSlowBodies(server, limits)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  socket = connect({ port, host: '127.0.0.1', allowHalfOpen: isHalfOpen })
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`)
  const answer = text(socket)
  const request = await begun.promise
  const send = async (bytes: number): Promise<void> => {
    const wanted = taken + bytes
    socket.write(Buffer.alloc(bytes))
    while (taken < wanted) await once(request, 'data')
  }
  return { answer, send }
}

test('an upload that may be slow continues for as long as bytes arrive', async () => {
  const { answer, send } = await begin('/upload', { length: 10_000 })
  for (let window = 0; window < 9; window += 1) {
    await send(1000)
    vi.advanceTimersByTime(limits.windowMs)
  }
  await send(1000)
  expect(await answer).toMatch(/taken$/)
})

test('an upload that arrives byte by byte is ended', async () => {
  const { answer, send } = await begin('/upload', { length: 10_000 })
  await send(1000)
  vi.advanceTimersByTime(limits.windowMs)
  await send(1)
  vi.advanceTimersByTime(limits.windowMs)
  expect(await answer).toMatch(/^HTTP\/1\.1 408 .*VALIDATION/s)
})

test('a connection that was answered with 408 and never closes its end is closed by the server', async () => {
  const { answer, send } = await begin('/other', { length: 200, isHalfOpen: true })
  await send(1)
  vi.advanceTimersByTime(limits.wholeMs)
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /)
  vi.runOnlyPendingTimers()
  vi.useRealTimers()
  await until(
    'no connection is left',
    () => new Promise<boolean>((done) => server.getConnections((_error, count) => done(count === 0)))
  )
})

test('any other body must arrive in time, or the request is ended', async () => {
  const { answer, send } = await begin('/other', { length: 10_000 })
  await send(5000)
  vi.advanceTimersByTime(limits.wholeMs - 1)
  await send(4000)
  vi.advanceTimersByTime(1)
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /)
})
