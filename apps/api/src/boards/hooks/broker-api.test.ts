import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { readConfig } from '../../platform/config.ts'
import { testSecrets } from '../../testing/test-secrets.ts'
import { createBrokerApi } from './broker-api.ts'

const id = '65a000000000000000000001'
const asked: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = []
const broker = createServer((request, response) => {
  asked.push(request)
  response.writeHead(204).end()
})
afterEach(() => void broker.close())

it('ends a connection at a broker that wants a name, a password and a path of its own', async () => {
  await new Promise<void>((done) => broker.listen(0, '127.0.0.1', done))
  const secrets = testSecrets()
  const settings = {
    ...secrets,
    MONGODB_URI: 'mongodb://127.0.0.1/x',
    BROKER_API_URL: `http://127.0.0.1:${(broker.address() as AddressInfo).port}`
  }
  const log = pino({ level: 'silent' })
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
