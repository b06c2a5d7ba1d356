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
import type { Refusal } from '../../platform/events.ts'
import { isPassword } from '../device-credentials.ts'

export interface MqttAuthOptions {
  servicePassword: string
  /** Whether the api's own account may log in from that address. */
  isServiceAddress(ip: string): boolean
  findCredential(id: string): Promise<{ credentialHash: string | null; pendingHash: string | null } | null>
  promoteCredential(id: string, pendingHash: string): Promise<unknown>
  /** Loads the live record, so that it is in memory for the board's first message. */
  load(deviceId: string): Promise<unknown>
  isBlocked(ip: string): boolean
  onRefused(refusal: Refusal): void
}

const deny: MqttAuthAnswer = { result: 'deny' }
const allow = (action: 'publish' | 'subscribe', topic: string): AclRule => ({ permission: 'allow', action, topic })

/**
 * Brokers differ in their default when no rule matches; these leave nothing to it. `#` does not match topics that begin with `$`.
 */
const denyTheRest: readonly AclRule[] = [
  { permission: 'deny', action: 'publish', topic: '#' },
  { permission: 'deny', action: 'subscribe', topic: '#' },
  { permission: 'deny', action: 'subscribe', topic: '$SYS/#' }
]

/** Answers each CONNECT: who the client is and what it may do. Identity comes from here, never from a payload. */
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
    // Blocked during these reads, when there was no connection yet to close.
    if (options.isBlocked(peerhost)) return deny
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

/** The api publishes to every board and subscribes to every board, and to itself: its own echo proves that messages arrive. */
function serviceRules(clientId: string): AclRule[] {
  const own = isServiceClient(clientId) ? [allow('subscribe', downFilter(clientId))] : []
  return [allow('publish', allDownFilter), allow('subscribe', allUpFilter), ...own, ...denyTheRest]
}

/** Lists exact topics: three up, five down, and the one filter that boards usually subscribe to. */
function boardRules(deviceId: string): AclRule[] {
  return [
    ...upTopics.map((name) => allow('publish', upTopic(deviceId, name))),
    allow('subscribe', downFilter(deviceId)),
    ...downTopics.map((name) => allow('subscribe', downTopic(deviceId, name))),
    ...denyTheRest
  ]
}
