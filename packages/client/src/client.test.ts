import { createDeviceClaim } from '@batti/contracts'
import { close, listen } from '@batti/kit/node/listen'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClient } from './client.ts'

const claim = { id: 'c1', code: 'ABCD', userId: 'u.ABCD', expiresAt: '2026-01-01T00:00:00.000Z' }
interface Answer {
  status: number
  body: object | string
  headers?: Record<string, string>
}

const good = { status: 201, body: { statusCode: 201, success: true, message: 'Made.', data: claim } }
const busy = (retryAfter?: string): Answer => ({
  status: 429,
  body: { statusCode: 429, success: false, message: 'Later.', code: 'TOO_MANY_REQUESTS', requestId: 'r' },
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter }
})

let answers: Answer[] = []
let asked: IncomingHttpHeaders[] = []
const server = createServer((request, response) => {
  asked.push(request.headers)
  const { status, body, headers = {} }: Answer = answers.shift() ?? good
  response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
})
let base = ''
beforeEach(async () => {
  asked = []
  base = `http://127.0.0.1:${await listen(server)}`
})
afterEach(async () => {
  server.closeAllConnections()
  await close(server)
})

/** A client whose waits are over at once, and the list of them. */
function hurriedClient() {
  const waits: number[] = []
  const clock = {
    after(ms: number, run: () => void) {
      waits.push(ms)
      setImmediate(run)
      return () => undefined
    }
  }
  return { client: createClient({ base, clock, token: 't1' }), waits }
}

test('waits as long as a busy server asks for: a second at least, and little more than a minute at most', async () => {
  answers = [busy('7'), busy('0'), good]
  const { client, waits } = hurriedClient()
  expect(await client.call(createDeviceClaim, { body: {} })).toEqual(claim)
  answers = [busy(), busy('3600'), good]
  await client.call(createDeviceClaim, { body: {} })
  expect(waits).toEqual([7000, 1000, 1000, 70_000])
})

test('gives up at the third refusal of a busy server, and repeats no other refusal', async () => {
  const { client, waits } = hurriedClient()
  answers = [busy('1'), busy('1'), busy('1')]
  await expect(client.call(createDeviceClaim)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfterS: 1 })
  expect([asked.length, waits.length]).toEqual([3, 2])
  answers = [{ status: 503, body: '<html>', headers: { 'retry-after': '1' } }]
  await expect(client.call(createDeviceClaim)).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 503 })
  expect([asked.length, waits.length]).toEqual([4, 2])
})

test('sends the token of the account that it acts for, and none before a login', async () => {
  const { client } = hurriedClient()
  await client.call(createDeviceClaim)
  await client.as('t2').call(createDeviceClaim)
  await createClient({ base }).call(createDeviceClaim)
  expect(asked.map(({ authorization }) => authorization)).toEqual(['Bearer t1', 'Bearer t2', undefined])
})

test('reports an answer that is not what the contract says, and a server that is not there', async () => {
  const { client } = hurriedClient()
  answers = [{ status: 201, body: { ...good.body, data: { ...claim, code: 5 } } }]
  await expect(client.call(createDeviceClaim)).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 201 })
  answers = [{ status: 200, body: { ...good.body, success: false } }]
  await expect(client.call(createDeviceClaim)).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 200 })
  await expect(createClient({ base: 'http://127.0.0.1:1' }).call(createDeviceClaim)).rejects.toMatchObject({
    code: 'NETWORK',
    status: 0
  })
})
