import { createServer, type IncomingMessage, type Server } from 'node:http'
import { close, listen } from '@batti/kit/node/listen'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../platform/config.ts'
import { testSecrets } from '../../testing/test-secrets.ts'
import { createBrokerApi } from './broker-api.ts'

const id = '65a000000000000000000001'
const asked: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = []
let answer: { status: number; body?: unknown } = { status: 204 }
/** Statuses of the next answers, before `answer`. */
const first: number[] = []
/** Two nodes of a cluster. */
const [broker, otherNode] = [0, 1].map(() =>
  createServer((request, response) => {
    asked.push(request)
    response.writeHead(first.shift() ?? answer.status).end(JSON.stringify(answer.body))
  })
) as [Server, Server]
const ports = new Map<Server, number>()
beforeAll(async () => {
  for (const node of [broker, otherNode]) ports.set(node, await listen(node))
})
afterAll(() => Promise.all([broker, otherNode].map(close)))
afterEach(() => {
  asked.splice(0)
  first.splice(0)
  answer = { status: 204 }
})
const log = pino({ level: 'silent' })
const address = (node = broker): string => `http://127.0.0.1:${ports.get(node)}`

it('ends a connection at a broker with a user name, a password and a path of its own', async () => {
  const secrets = testSecrets()
  const settings = {
    ...secrets,
    MONGODB_URI: 'mongodb://127.0.0.1/x',
    BROKER_API_URL: address()
  }
  const basic = { BROKER_API_AUTH: 'basic', BROKER_API_USER: 'key', BROKER_API_PASSWORD: 'sec:ret' }
  await createBrokerApi({ config: readConfig(settings), log }).closeConnection(id)
  await createBrokerApi({ config: readConfig({ ...settings, BROKER_API_PASSWORD: 'token' }), log }).closeConnection(id)
  await createBrokerApi({
    config: readConfig({ ...settings, ...basic, BROKER_API_PATH: '/api/v1/clients' }),
    log
  }).closeConnection(id)
  expect(asked.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
    ['DELETE', `/api/v5/clients/dev-${id}`, `Bearer ${secrets.INTERNAL_SECRET}`],
    ['DELETE', `/api/v5/clients/dev-${id}`, 'Bearer token'],
    ['DELETE', `/api/v1/clients/dev-${id}`, `Basic ${Buffer.from('key:sec:ret').toString('base64')}`]
  ])
})

it.each(['/mqtt', '/mqtt/'])('uses the path prefix %s of a management API behind a proxy', async (path) => {
  const config = readConfig({
    ...testSecrets(),
    MONGODB_URI: 'mongodb://127.0.0.1/x',
    BROKER_API_URL: `${address()}${path}`
  })
  await createBrokerApi({ config, log }).closeConnection(id)
  await createBrokerApi({ config, log }).connectedFrom('192.0.2.7')
  expect(asked.map(({ url }) => url?.split('?')[0])).toEqual([`/mqtt/api/v5/clients/dev-${id}`, '/mqtt/api/v5/clients'])
})

it('asks every node to end a connection, since a node without it answers 404', async () => {
  answer = { status: 404 }
  const settings = { ...testSecrets(), MONGODB_URI: 'mongodb://127.0.0.1/x' }
  const config = readConfig({
    ...settings,
    BROKER_API_URL: `${address()}, ${address(otherNode)}`
  })
  await createBrokerApi({ config, log }).closeConnection(id)
  expect(new Set(asked.map(({ method, headers }) => `${method} http://${headers.host}`))).toEqual(
    new Set([broker, otherNode].map((node) => `DELETE ${address(node)}`))
  )
})

it.each([
  ['until it does', [500, 503], 3],
  ['three times at most', [500, 500, 500, 500], 3]
])('asks a broker that does not end a connection again, %s', async (_what, statuses, times) => {
  first.push(...statuses)
  const settings = { ...testSecrets(), MONGODB_URI: 'mongodb://127.0.0.1/x', BROKER_API_URL: address() }
  await createBrokerApi({ config: readConfig(settings), log }).closeConnection(id)
  expect(asked.map(({ method }) => method)).toEqual(Array.from({ length: times }, () => 'DELETE'))
})

it('ends every connection from an IPv6 network, of which a broker cannot list the addresses', async () => {
  answer = {
    status: 200,
    body: [
      { clientid: `dev-${id}`, ip_address: '2001:db8:1:2::7', connected: true },
      { clientid: 'dev-65a000000000000000000002', ip_address: '2001:db8:1:3::7', connected: true }
    ]
  }
  const settings = { ...testSecrets(), MONGODB_URI: 'mongodb://127.0.0.1/x', BROKER_API_URL: address() }
  await createBrokerApi({ config: readConfig(settings), log }).closeAllFrom('2001:db8:1:2::9')
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/v5/clients?limit=10000',
    `DELETE /api/v5/clients/dev-${id}`
  ])
})

it.each([
  ['a list', (list: object[]): unknown => list],
  ['a page', (list: object[]): unknown => ({ data: list, meta: { count: list.length } })]
])('finds the clients connected from an address in %s', async (_what, shaped) => {
  answer = {
    status: 200,
    body: shaped([
      { clientid: `dev-${id}`, ip_address: '192.0.2.7', connected: true, username: null },
      { clientid: 'dev-65a000000000000000000002', ip_address: '192.0.2.8', connected: true },
      { clientid: 'dev-65a000000000000000000003', ip_address: '192.0.2.7', connected: false },
      { clientid: 'api-1', ip_address: null }
    ])
  }
  const settings = { ...testSecrets(), MONGODB_URI: 'mongodb://127.0.0.1/x', BROKER_API_URL: address() }
  expect(await createBrokerApi({ config: readConfig(settings), log }).connectedFrom('192.0.2.7')).toEqual([id])
})
