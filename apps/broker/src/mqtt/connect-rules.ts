import {
  deviceIdOfClient,
  isServiceClient,
  mqttKeepaliveMaxS,
  mqttKeepaliveMinS,
  serviceUsername,
  upTopic
} from '@batti/contracts'

/** The parts of a CONNECT that these rules read. */
export interface ConnectRequest {
  readonly clientId: string
  readonly protocolVersion?: number | undefined
  readonly bridgeMode?: boolean | undefined
  readonly clean?: boolean | undefined
  readonly keepalive?: number | undefined
  readonly username?: string | undefined
  readonly password?: Uint8Array | string | undefined
  readonly will?: { readonly topic: string; readonly qos?: number; readonly retain?: boolean } | undefined
}

/** MQTT 3.1.1 §3.2.2.3: 1 version, 2 identifier, 3 unavailable, 5 not authorized. */
export type ConnackCode = 1 | 2 | 3 | 5
export interface ConnectRefusal {
  readonly code: ConnackCode
  readonly reason: string
}

export interface Identity {
  readonly kind: 'board' | 'service'
  readonly clientId: string
  readonly username: string
}

/**
 * Checks a CONNECT before its password is verified. The code is "not authorized" (5) where MQTT defines no better one.
 * The client id must follow from the username. Otherwise one credential could take over the connection of another.
 */
export function judgeConnect(request: ConnectRequest): Identity | ConnectRefusal {
  if (request.protocolVersion !== 4 || request.bridgeMode === true) return refuse(1, 'protocol-version')
  const { clientId, username, keepalive = 0 } = request
  const deviceId = deviceIdOfClient(clientId)
  if (deviceId === null && !isServiceClient(clientId)) return refuse(2, 'client-id')
  if (username === undefined || request.password === undefined) return refuse(5, 'no-credentials')
  if (username !== (deviceId ?? serviceUsername)) return refuse(5, 'client-id-of-another')
  if (request.clean !== true) return refuse(5, 'persistent-session')
  if (keepalive < mqttKeepaliveMinS || keepalive > mqttKeepaliveMaxS) return refuse(5, 'keepalive')
  if (request.will !== undefined) {
    const own = deviceId !== null && request.will.topic === upTopic(deviceId, 'status')
    if (!own || request.will.retain === true || (request.will.qos ?? 0) > 1) return refuse(5, 'will')
  }
  return { kind: deviceId === null ? 'service' : 'board', clientId, username }
}

const refuse = (code: ConnackCode, reason: string): ConnectRefusal => ({ code, reason })

/** Encodes a CONNACK of MQTT 3.1.1 with "session present" unset. */
export const connack = (code: ConnackCode): Buffer => Buffer.from([0x20, 2, 0, code])
