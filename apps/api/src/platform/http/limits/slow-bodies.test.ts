import { until } from '@batti/kit/testing'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { answerBrokenRequests } from '../broken-requests.ts'
import { allowSlowBody, endSlowBodies } from './slow-bodies.ts'

let server: Server
let socket: Socket
afterEach(async () => {
  socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

/** Writes `bytes` every `everyMs`, `times` times, and returns the server's answer. */
async function send(
  path: string,
  { bytes, everyMs, times, isHalfOpen = false }: { bytes: number; everyMs: number; times: number; isHalfOpen?: boolean }
) {
  server = createServer((request, response) => {
    if (request.url === '/upload') allowSlowBody(request)
    request.resume().once('end', () => response.end('taken'))
  })
  answerBrokenRequests(server)
  endSlowBodies(server, { wholeMs: 300, windowMs: 200, windowBytes: 1000 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  socket = connect({ port, host: '127.0.0.1', allowHalfOpen: isHalfOpen })
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${bytes * times}\r\n\r\n`)
  let left = times
  const writing = setInterval(() => {
    if (left > 0 && socket.writable) socket.write(Buffer.alloc(bytes))
    left -= 1
  }, everyMs)
  const answer = await text(socket)
  clearInterval(writing)
  return answer
}

test('an upload that may be slow continues for as long as bytes arrive', async () => {
  expect(await send('/upload', { bytes: 1000, everyMs: 50, times: 20 })).toMatch(/taken$/)
})

test('an upload that arrives byte by byte is ended', async () => {
  expect(await send('/upload', { bytes: 1, everyMs: 50, times: 200 })).toMatch(/^HTTP\/1\.1 408 .*VALIDATION/s)
})

test('a connection that was answered with 408 and never closes its end is closed by the server', async () => {
  const answer = send('/other', { bytes: 1, everyMs: 50, times: 200, isHalfOpen: true })
  await expect(answer).resolves.toMatch(/^HTTP\/1\.1 408 /)
  await until(
    'no connection is left',
    () => new Promise<boolean>((done) => server.getConnections((_error, count) => done(count === 0)))
  )
})

test('any other body must arrive in time, or the request is ended', async () => {
  expect(await send('/other', { bytes: 1000, everyMs: 50, times: 200 })).toMatch(/^HTTP\/1\.1 408 /)
})
