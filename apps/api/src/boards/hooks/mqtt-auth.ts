import {
  allDownFilter,
  allUpFilter,
  deviceIdOfClient,
  downFilter,
  downTopic,
  downTopics,
  isServiceClient,
  serviceUsername,
  upTopic,
  upTopics,
  type AclRule,
  type MqttAuthAnswer,
  type MqttAuthRequest
} from '@batti/contracts'
import { plainAddress } from '@batti/kit/address'
import { constantTimeEqual } from '@batti/kit/node/constant-time-equal'
import { isPassword } from '../device-credentials.ts'

export interface MqttAuthOptions {
  servicePassword: string
  /** Whether the api's own account is accepted from there. */
  isServiceAddress(ip: string): boolean
  findCredential(id: string): Promise<{ credentialHash: string | null; pendingHash: string | null } | null>
  promoteCredential(id: string, pendingHash: string): Promise<unknown>
  /** Loads the live record, so that the board's first message finds it in memory. */
  load(deviceId: string): Promise<unknown>
  isBlocked(ip: string): boolean
  onRefused(refusal: { ip: string; method: string; url: string; userAgent: string }): void
}

const deny: MqttAuthAnswer = { result: 'deny' }
const allow = (action: 'publish' | 'subscribe', topic: string): AclRule => ({ permission: 'allow', action, topic })

/** Brokers differ in what they do where no rule matches: these leave nothing to them. `#` matches no topic that begins with `$`. */
const denyTheRest: readonly AclRule[] = [
  { permission: 'deny', action: 'publish', topic: '#' },
  { permission: 'deny', action: 'subscribe', topic: '#' },
  { permission: 'deny', action: 'subscribe', topic: '$SYS/#' }
]

/** Answers the broker at every CONNECT: who this is and what it may. Identity comes from here, never from a payload. */
export function createMqttAuth(options: MqttAuthOptions) {
  async function judge(request: MqttAuthRequest): Promise<MqttAuthAnswer> {
    const { clientid, username = '', password = '', peerhost = '' } = request
    if (options.isBlocked(peerhost)) return deny
    if (username === serviceUsername) {
      const isService =
        constantTimeEqual(password, options.servicePassword) && options.isServiceAddress(plainAddress(peerhost))
      return isService ? { result: 'allow', acl: serviceRules(clientid) } : deny
    }
    const deviceId = deviceIdOfClient(clientid)
    if (deviceId === null || deviceId !== username) return deny
    const device = await options.findCredential(deviceId)
    if (device === null) return deny
    if (isPassword(password, device.pendingHash) && device.pendingHash !== null) {
      await options.promoteCredential(deviceId, device.pendingHash)
    } else if (!isPassword(password, device.credentialHash)) return deny
    await options.load(deviceId)
    return { result: 'allow', acl: boardRules(deviceId) }
  }

  return async function answerMqttAuth(request: MqttAuthRequest): Promise<MqttAuthAnswer> {
    const answer = await judge(request)
    if (answer.result === 'deny') {
      options.onRefused({
        ip: plainAddress(request.peerhost ?? ''),
        method: 'MQTT',
        url: 'CONNECT',
        userAgent: request.clientid.slice(0, 64)
      })
    }
    return answer
  }
}

/** Tells every board, hears every board, and itself: that is how it knows that it is heard. */
function serviceRules(clientId: string): AclRule[] {
  const own = isServiceClient(clientId) ? [allow('subscribe', downFilter(clientId))] : []
  return [allow('publish', allDownFilter), allow('subscribe', allUpFilter), ...own, ...denyTheRest]
}

/** Exact topics: three up, five down, and the one filter that boards usually subscribe to. */
function boardRules(deviceId: string): AclRule[] {
  return [
    ...upTopics.map((name) => allow('publish', upTopic(deviceId, name))),
    allow('subscribe', downFilter(deviceId)),
    ...downTopics.map((name) => allow('subscribe', downTopic(deviceId, name))),
    ...denyTheRest
  ]
}
