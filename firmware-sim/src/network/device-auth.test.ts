import { close, listen } from '@batti/kit/node/listen'
import { deviceMac } from '@batti/contracts'
import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { authenticate } from './device-auth.ts'

const introduction = {
  userId: '64f000000000000000000001.ABCD-EFGH',
  deviceMac: deviceMac.parse('34:98:7A:0C:51:E2'),
  deviceCode: 'BTF',
  hwModel: 'batti-board',
  osVersion: '1.0.0',
  timezone: 'Asia/Kathmandu',
  activeColor: 'Aqua Blue',
  nonce: 'n'.repeat(24)
}
const server = createServer()
afterEach(() => close(server))

/** What a board makes of an answer of the server. */
async function outcomeOf(status: number, body: string, headers: Record<string, string> = {}) {
  server.removeAllListeners('request').once('request', (_, response) => {
    response.writeHead(status, { connection: 'close', ...headers }).end(body)
  })
  const port = await listen(server)
  return authenticate(new URL(`http://127.0.0.1:${port}/`), introduction)
}
const refusal = (code: string): string => JSON.stringify({ code, message: 'No.' })

test('a refusal of the board is final', async () => {
  expect(await outcomeOf(403, refusal('DEVICE_REFUSED'))).toEqual({ kind: 'refused', detail: 'No.' })
})

test.each([
  ['90', 90_000],
  ['0', null],
  ['soon', null]
])('any other refusal is temporary: a server that says %s is asked again after %s ms', async (seconds, waitMs) => {
  const answer = await outcomeOf(429, refusal('TOO_MANY_REQUESTS'), { 'retry-after': seconds })
  expect(answer).toEqual({ kind: 'failed', detail: 'No.', waitMs })
})

test.each([
  [503, 'no JSON', 'The server answered 503.'],
  [502, '', 'The server answered 502.'],
  [200, '{}', 'The server answered something that this board does not understand.'],
  [201, '{"data":{"deviceId":5}}', 'The server answered something that this board does not understand.']
])('%i with the body %j is a failure with a sentence', async (status, body, detail) => {
  expect(await outcomeOf(status, body)).toEqual({ kind: 'failed', detail, waitMs: null })
})

test('a server that is not there is named', async () => {
  const url = new URL(`http://127.0.0.1:${await listen(server)}/`)
  await close(server)
  expect(await authenticate(url, introduction)).toEqual({
    kind: 'failed',
    detail: `The server at ${url.host} did not answer: nothing listens there.`,
    waitMs: null
  })
})
