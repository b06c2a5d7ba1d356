import { describe, expect, it } from 'vitest'
import { connack, judgeConnect, type ConnectRequest } from './connect-rules.ts'

const id = 'a'.repeat(24)
const good: ConnectRequest = {
  clientId: `dev-${id}`,
  protocolVersion: 4,
  clean: true,
  keepalive: 60,
  username: id,
  password: 'x',
  will: { topic: `d/${id}/up/status`, qos: 1, retain: false }
}
const api: ConnectRequest = {
  clientId: 'api-1f',
  protocolVersion: 4,
  clean: true,
  keepalive: 60,
  username: 'api',
  password: 'x'
}

describe('a CONNECT', () => {
  it('of a board and of the api is recognized', () => {
    expect(judgeConnect(good)).toEqual({ kind: 'board', clientId: `dev-${id}`, username: id })
    expect(judgeConnect(api)).toEqual({ kind: 'service', clientId: 'api-1f', username: 'api' })
  })

  it.each([15, 120])('with a keepalive of %i s is accepted', (keepalive) => {
    expect(judgeConnect({ ...good, keepalive })).toHaveProperty('kind', 'board')
  })

  it.each<[string, ConnectRequest, number, string]>([
    ['MQTT 3.1', { ...good, protocolVersion: 3 }, 1, 'protocol-version'],
    ['MQTT 5', { ...good, protocolVersion: 5 }, 1, 'protocol-version'],
    ['a bridge', { ...good, bridgeMode: true }, 1, 'protocol-version'],
    ...[
      '',
      '+',
      '#',
      'a/b',
      '__proto__',
      'constructor',
      'dev-',
      'dev-+',
      `dev-${id}x`,
      `DEV-${id}`,
      `dev-${'A'.repeat(24)}`
    ].map((clientId): [string, ConnectRequest, number, string] => [
      `client id "${clientId}"`,
      { ...good, clientId },
      2,
      'client-id'
    ]),
    ['a client id of 60 KB', { ...good, clientId: 'a'.repeat(60_000) }, 2, 'client-id'],
    ['a client id api- with a wildcard', { ...api, clientId: 'api-+' }, 2, 'client-id'],
    ['the client id of another', { ...good, username: 'b'.repeat(24) }, 5, 'client-id-of-another'],
    ["a board's name on the api's client id", { ...api, username: id }, 5, 'client-id-of-another'],
    ["the api's name on a board's client id", { ...good, username: 'api', will: undefined }, 5, 'client-id-of-another'],
    ['no username', { ...good, username: undefined }, 5, 'no-credentials'],
    ['no password', { ...good, password: undefined }, 5, 'no-credentials'],
    ['a session that should persist', { ...good, clean: false }, 5, 'persistent-session'],
    ['keepalive 0', { ...good, keepalive: 0 }, 5, 'keepalive'],
    ['keepalive 14', { ...good, keepalive: 14 }, 5, 'keepalive'],
    ['keepalive 121', { ...good, keepalive: 121 }, 5, 'keepalive'],
    [
      'a will on a topic of its own that is not its status',
      { ...good, will: { topic: `d/${id}/up/update-from-device` } },
      5,
      'will'
    ],
    ['a will on the status of another', { ...good, will: { topic: `d/${'b'.repeat(24)}/up/status` } }, 5, 'will'],
    ['a will on $SYS', { ...good, will: { topic: '$SYS/x/new/clients' } }, 5, 'will'],
    ['a retained will', { ...good, will: { topic: `d/${id}/up/status`, retain: true } }, 5, 'will'],
    ['a will at QoS 2', { ...good, will: { topic: `d/${id}/up/status`, qos: 2 } }, 5, 'will'],
    ['a will of the api', { ...api, will: { topic: `d/${id}/down/ack` } }, 5, 'will']
  ])('with %s is refused', (_name, request, code, reason) => {
    expect(judgeConnect(request)).toEqual({ code, reason })
  })

  it('is answered with its code and without a session', () => {
    expect([...connack(5)]).toEqual([0x20, 2, 0, 5])
  })
})
