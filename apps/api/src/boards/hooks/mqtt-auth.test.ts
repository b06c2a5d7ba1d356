import { describe, expect, it } from 'vitest'
import { hashDevicePassword } from '../device-credentials.ts'
import { createMqttAuth } from './mqtt-auth.ts'

const id = '65a000000000000000000001'
const board = { clientid: `dev-${id}`, username: id, password: 'right', peerhost: '192.168.1.20' }

function setUp(credentials: { hash?: string | null; pending?: string | null } = {}) {
  const refused: unknown[] = []
  const promoted: string[] = []
  const device = {
    credentialHash: credentials.hash === undefined ? hashDevicePassword('right') : credentials.hash,
    pendingHash: credentials.pending ?? null
  }
  const answer = createMqttAuth({
    servicePassword: 'service-password-of-32-characters',
    serviceNetworks: ['127.0.0.1', '::1'],
    findCredential: (wanted) => Promise.resolve(wanted === id ? device : null),
    promoteCredential: (_id, hash) => Promise.resolve(promoted.push(hash)),
    load: () => Promise.resolve(),
    isBlocked: (ip) => ip === '6.6.6.6',
    onRefused: (refusal) => void refused.push(refusal)
  })
  return { answer, refused, promoted }
}

describe('the broker asks who connects', () => {
  it('a board may publish its three topics and subscribe to its own, exactly', async () => {
    const { acl, result } = await setUp().answer(board)
    expect(result).toBe('allow')
    expect(acl?.filter(({ action }) => action === 'publish').map(({ topic }) => topic)).toEqual([
      `d/${id}/up/update-from-device`,
      `d/${id}/up/status`,
      `d/${id}/up/firmware-progress`
    ])
    expect(acl?.filter(({ action }) => action === 'subscribe')).toHaveLength(6)
  })

  it.each([
    ['a wrong password', { password: 'wrong' }],
    ['no password', { password: undefined }],
    ["another board's client id", { clientid: 'dev-65a000000000000000000002' }],
    ['a client id that is a wildcard', { clientid: '+' }],
    ['an unknown board', { clientid: 'dev-65a0000000000000000000ff', username: '65a0000000000000000000ff' }],
    ['a blocked address', { peerhost: '6.6.6.6' }],
    ['the name of the service', { clientid: 'api-1', username: 'api', password: 'right' }],
    [
      "the service's password from outside its network",
      { clientid: 'api-1', username: 'api', password: 'service-password-of-32-characters' }
    ]
  ])('%s is denied, and noted', async (_what, fields) => {
    const { answer, refused } = setUp()
    await expect(answer({ ...board, ...fields })).resolves.toEqual({ result: 'deny' })
    expect(refused).toMatchObject([{ method: 'MQTT', url: 'CONNECT' }])
  })

  it('the api itself may, from its own network, tell every board and hear every board', async () => {
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
        { permission: 'allow', action: 'subscribe', topic: 'd/+/up/+' }
      ]
    })
  })

  it('a new password takes the place of the old one when it is first used, not before', async () => {
    const next = hashDevicePassword('next')
    const { answer, promoted } = setUp({ pending: next })
    await expect(answer(board)).resolves.toMatchObject({ result: 'allow' })
    expect(promoted).toEqual([])
    await expect(answer({ ...board, password: 'next' })).resolves.toMatchObject({ result: 'allow' })
    expect(promoted).toEqual([next])
  })

  it('a board without a credential is nobody, whatever it says', async () => {
    await expect(setUp({ hash: null }).answer({ ...board, password: '' })).resolves.toEqual({ result: 'deny' })
  })
})
