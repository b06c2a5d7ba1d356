import { mqttAuthBatchMax, mqttAuthBatchMaxBytes } from '@batti/contracts'
import { describe, expect, it } from 'vitest'
import { hashDevicePassword } from '../device-credentials.ts'
import { createAddressList } from '../../platform/address-list.ts'
import { createMqttAuth } from './mqtt-auth.ts'

const id = '65a000000000000000000001'
const board = { clientid: `dev-${id}`, username: id, password: 'right', peerhost: '192.168.1.20' }

const denials = [
  { permission: 'deny', action: 'publish', topic: '#' },
  { permission: 'deny', action: 'subscribe', topic: '#' },
  { permission: 'deny', action: 'subscribe', topic: '$SYS/#' }
]

/** Matches a topic or a subscription filter against a rule, as brokers do. */
function matches(rule: string, topic: string): boolean {
  if (rule === topic) return true
  if (topic.startsWith('$') && !rule.startsWith('$')) return false
  const parts = topic.split('/')
  for (const [index, level] of rule.split('/').entries()) {
    if (level === '#') return true
    if (parts[index] === undefined || (level !== '+' && level !== parts[index])) return false
  }
  return parts.length === rule.split('/').length
}

function setUp(credentials: { hash?: string | null; pending?: string | null; isBlockedMeanwhile?: boolean } = {}) {
  const blocked = new Set(['6.6.6.6'])
  const refused: unknown[] = []
  const promoted: string[] = []
  const device = {
    credentialHash: credentials.hash === undefined ? hashDevicePassword('right') : credentials.hash,
    pendingHash: credentials.pending ?? null
  }
  const answer = createMqttAuth({
    servicePassword: 'service-password-of-32-characters',
    isServiceAddress: createAddressList(['127.0.0.1', '::1', '10.8.0.0/16', 'fd00:8::/32']),
    findCredential: (wanted) => Promise.resolve(wanted === id ? device : null),
    promoteCredential: (_id, hash) => Promise.resolve(promoted.push(hash)),
    load: async () => credentials.isBlockedMeanwhile === true && blocked.add(board.peerhost),
    isBlocked: (ip) => blocked.has(ip),
    onRefused: (refusal) => void refused.push(refusal)
  })
  return { answer, refused, promoted }
}

describe("the authorization of a client by the broker's hook", () => {
  it('allows a board to publish its three topics and to subscribe to exactly its own', async () => {
    const { acl, result } = await setUp().answer(board)
    expect(result).toBe('allow')
    const allowed = acl?.filter(({ permission }) => permission === 'allow')
    expect(allowed?.filter(({ action }) => action === 'publish').map(({ topic }) => topic)).toEqual([
      `d/${id}/up/update-from-device`,
      `d/${id}/up/status`,
      `d/${id}/up/firmware-progress`
    ])
    expect(allowed?.filter(({ action }) => action === 'subscribe')).toHaveLength(6)
  })

  it('answers so briefly that the broker reads the answers for a full batch of boards', async () => {
    const { answer } = setUp()
    const answers = await Promise.all(Array.from({ length: mqttAuthBatchMax }, () => answer(board)))
    expect(JSON.stringify(answers).length).toBeLessThan(mqttAuthBatchMaxBytes)
  })

  it.each([
    ['a wrong password', { password: 'wrong' }],
    ['no password', { password: undefined }],
    ["another board's client id", { clientid: 'dev-65a000000000000000000002' }],
    ["another board's user name", { username: '65a000000000000000000002' }],
    ['a client id that is a wildcard', { clientid: '+' }],
    ['an unknown board', { clientid: 'dev-65a0000000000000000000ff', username: '65a0000000000000000000ff' }],
    ['a blocked address', { peerhost: '6.6.6.6' }],
    ['the name of the service', { clientid: 'api-1', username: 'api', password: 'right' }],
    [
      'the name of the service from its own network',
      { clientid: 'api-1', username: 'api', password: 'right', peerhost: '127.0.0.1' }
    ],
    [
      "the service's password from outside its network",
      { clientid: 'api-1', username: 'api', password: 'service-password-of-32-characters' }
    ]
  ])('denies and records %s', async (_what, fields) => {
    const { answer, refused } = setUp()
    await expect(answer({ ...board, ...fields })).resolves.toEqual({ result: 'deny' })
    expect(refused).toMatchObject([{ method: 'MQTT', url: 'CONNECT' }])
  })

  it('allows the api, from its own network, to command and to hear every board', async () => {
    const service = {
      clientid: 'api-1',
      username: 'api',
      password: 'service-password-of-32-characters',
      peerhost: '::ffff:127.0.0.1'
    }
    await expect(setUp().answer(service)).resolves.toEqual({
      result: 'allow',
      acl: [
        { permission: 'allow', action: 'publish', topic: 'd/+/down/+' },
        { permission: 'allow', action: 'subscribe', topic: 'd/+/up/+' },
        { permission: 'allow', action: 'subscribe', topic: 'd/api-1/down/+' },
        ...denials
      ]
    })
  })

  it.each(['10.8.3.4', '::ffff:10.8.3.4', 'fd00:8::9'])('accepts the api from its network: %s', async (ip) => {
    const service = {
      clientid: 'api-1',
      username: 'api',
      password: 'service-password-of-32-characters',
      peerhost: ip
    }
    await expect(setUp().answer(service)).resolves.toMatchObject({ result: 'allow' })
    await expect(setUp().answer({ ...service, peerhost: '10.9.0.1' })).resolves.toEqual({ result: 'deny' })
  })

  it('gives nothing to another client with the client id of the api', async () => {
    const service = { clientid: 'api-1/#', username: 'api', password: 'service-password-of-32-characters' }
    const { acl } = await setUp().answer({ ...service, peerhost: '127.0.0.1' })
    expect(acl?.map(({ topic }) => topic)).toEqual(['d/+/down/+', 'd/+/up/+', '#', '#', '$SYS/#'])
  })

  it('allows no foreign topic on a broker whose own rules allow everything that ours do not mention', async () => {
    const { acl = [] } = await setUp().answer(board)
    const other = '65a000000000000000000002'
    expect(acl.slice(-3)).toEqual(denials)
    const may = (action: 'publish' | 'subscribe', topic: string) =>
      (acl.find((rule) => rule.action === action && matches(rule.topic, topic))?.permission ?? 'allow') === 'allow'
    expect(may('publish', `d/${id}/up/status`)).toBe(true)
    expect(may('subscribe', `d/${id}/down/+`)).toBe(true)
    for (const topic of [`d/${other}/up/status`, `d/${other}/down/switch-update`, 'x', `d/${id}/up/else`])
      expect([topic, may('publish', topic)]).toEqual([topic, false])
    for (const topic of [`d/${other}/down/+`, 'd/+/down/+', '#', '+/+/+/+', '$SYS/brokers'])
      expect([topic, may('subscribe', topic)]).toEqual([topic, false])
  })

  it('replaces the old password when the new one is first used, not before', async () => {
    const next = hashDevicePassword('next')
    const { answer, promoted } = setUp({ pending: next })
    await expect(answer(board)).resolves.toMatchObject({ result: 'allow' })
    expect(promoted).toEqual([])
    await expect(answer({ ...board, password: 'next' })).resolves.toMatchObject({ result: 'allow' })
    expect(promoted).toEqual([next])
  })

  it('denies a board whose address is blocked while it is looked up', async () => {
    const { answer, refused } = setUp({ isBlockedMeanwhile: true })
    await expect(answer(board)).resolves.toEqual({ result: 'deny' })
    expect(refused).toHaveLength(1)
  })

  it('denies a board without a credential, whatever it sends', async () => {
    await expect(setUp({ hash: null }).answer({ ...board, password: '' })).resolves.toEqual({ result: 'deny' })
  })
})
