import {
  deviceClientId,
  downFilter,
  downTopics,
  parseDownTopic,
  upTopic,
  type DownTopic,
  type UpTopic
} from '@batti/contracts'
import { backoffMs } from '@batti/kit/backoff'
import type { Timers } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import { parseJson } from '@batti/kit/json'
import type { Semaphore } from '@batti/kit/semaphore'
import { MqttClient } from 'mqtt'
import { isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Address } from '../device/device-state.ts'
import type { Credentials } from '../board/flash-record.ts'
import type { TlsContexts } from './tls-contexts.ts'

export interface LinkLoss {
  /** A sentence that tells the user what to do. */
  readonly detail: string
  /** The broker refused the credential over a verified connection. */
  readonly refused: boolean
  /** When the last packet arrived; null when the link was not up. */
  readonly heardAt: number | null
}

export interface LinkParts {
  credentials: Credentials
  /** Returns the CAs to trust at the next connection. */
  caPem(): string
  clock: Timers
  random: () => number
  gate: Semaphore
  tls: TlsContexts
  /** Called before each attempt. Returns the address and the last will. */
  attempt(): { address: Address; will: object }
  connected(): void
  received(topic: DownTopic, payload: unknown): void
  lost(loss: LinkLoss): void
}

export interface Link {
  /** Publishes at QoS 0. Drops the message without a connection, because the device keeps unacknowledged reports. */
  publish(topic: UpTopic, payload: object): void
  /** Closes the present connection and opens another at once. */
  reconnect(): void
  /** Publishes `last` and disconnects. Resolves when that is done, after a second at the latest. */
  close(last: object): Promise<void>
  /** Ends the connection without a farewell, as when the power or the network fails. */
  cut(): void
}

const delays = { firstMs: 1000, longestMs: 20_000, jitter: 0.5 }
const delaysWhenRefused = { ...delays, longestMs: minuteMs }
const connectTimeoutMs = 15_000
/** A connection that lasted this long resets the back-off. */
const steadyMs = 10_000

/** Keeps one board connected by MQTT over TLS. Always verifies the pinned CA and the server's name. */
export function createLink(parts: LinkParts): Link {
  const { credentials, clock, random } = parts
  let client: MqttClient | null = null
  let up = false
  let connectedAt = 0
  let heardAt = 0
  let failures = 0
  let attempts = 0
  let closed = false
  let cancelWait = (): void => undefined

  async function open(): Promise<void> {
    const attempt = ++attempts
    const leave = await parts.gate.enter()
    // A reconnect during the wait has started an attempt of its own.
    if (closed || attempt !== attempts) return leave()
    const mine = dial(parts)
    client = mine
    let problem: LinkLoss | null = null
    mine.once('connect', () => {
      leave()
      mine.subscribe(downFilter(credentials.deviceId), { qos: 0 }, (error, granted) => {
        if (mine !== client || closed) return
        if (error !== null || granted?.[0]?.qos === 128) {
          problem = { detail: 'The broker refused the subscription.', refused: false, heardAt: null }
          mine.end(true)
          return
        }
        up = true
        connectedAt = heardAt = clock.now()
        parts.connected()
      })
    })
    mine.on('packetreceive', () => (heardAt = clock.now()))
    mine.on('message', (topic, payload) => receive(topic, payload))
    mine.on('error', (error) => (problem ??= explain(error)))
    mine.once('close', () => {
      leave()
      // Each attempt uses a new client. Without `end`, mqtt.js would keep the timers of this one.
      mine.end(true)
      if (mine !== client) return
      client = null
      if (!closed) lose(problem ?? { detail: 'The connection to the broker was lost.', refused: false, heardAt: null })
    })
  }

  function lose(problem: LinkLoss): void {
    const wasUp = up
    up = false
    failures = wasUp && clock.now() - connectedAt >= steadyMs ? 1 : failures + 1
    const waitMs = backoffMs(failures, problem.refused ? delaysWhenRefused : delays, random)
    cancelWait = clock.after(waitMs, () => void open())
    parts.lost({ ...problem, heardAt: wasUp ? heardAt : null })
  }

  function receive(topic: string, payload: Buffer): void {
    const parsed = parseDownTopic(topic)
    if (parsed === null || parsed.deviceId !== credentials.deviceId || !downTopics.includes(parsed.name)) return
    parts.received(parsed.name, parseJson(payload.toString('utf8')))
  }

  function drop(): MqttClient | null {
    const dropped = client
    client = null
    cancelWait()
    return dropped
  }

  void open()

  return {
    publish(topic, payload) {
      if (up) client?.publish(upTopic(credentials.deviceId, topic), JSON.stringify(payload), { qos: 0 })
    },
    reconnect() {
      const wasUp = up
      up = false
      failures = 0
      drop()?.end(false)
      if (wasUp) parts.lost({ detail: 'Moving to another address.', refused: false, heardAt })
      if (!closed) void open()
    },
    async close(last) {
      const leaving = drop()
      const wasUp = up
      closed = true
      up = false
      if (leaving === null) return
      if (!wasUp) return void leaving.end(true)
      leaving.publish(upTopic(credentials.deviceId, 'status'), JSON.stringify(last), { qos: 0 })
      await new Promise<void>((resolve) => {
        const force = setTimeout(() => leaving.end(true, () => resolve()), 1000)
        leaving.end(false, () => {
          clearTimeout(force)
          resolve()
        })
      })
    },
    cut() {
      closed = true
      up = false
      const gone = drop()
      if (gone === null) return
      gone.stream.destroy()
      gone.end(true)
    }
  }
}

/** Makes one attempt to connect; mqtt.js does not retry by itself. */
function dial(parts: LinkParts): MqttClient {
  const { credentials } = parts
  const { address, will } = parts.attempt()
  const { host, port } = address
  const stream = () => {
    const socket = connectTls({
      host,
      port,
      // SNI is for names only. An IP address is just compared with the certificate.
      ...(isIP(host) === 0 ? { servername: host } : {}),
      secureContext: parts.tls(parts.caPem()),
      rejectUnauthorized: true
    })
    socket.setNoDelay(true)
    return socket
  }
  return new MqttClient(stream, {
    protocolVersion: 4,
    clean: true,
    keepalive: credentials.keepaliveS,
    clientId: credentials.clientId || deviceClientId(credentials.deviceId),
    username: credentials.username,
    password: credentials.password,
    will: {
      topic: upTopic(credentials.deviceId, 'status'),
      payload: Buffer.from(JSON.stringify(will)),
      qos: 0,
      retain: false
    },
    reconnectPeriod: 0,
    connectTimeout: connectTimeoutMs,
    queueQoSZero: false,
    resubscribe: false
  })
}

/** CONNACK return codes, MQTT 3.1.1 table 3.1. */
const connackBadCredential = 4
const connackNotAuthorized = 5

function explain(error: Error & { code?: unknown }): LinkLoss {
  const refused = error.code === connackBadCredential || error.code === connackNotAuthorized
  return { detail: sentence(error, refused), refused, heardAt: null }
}

function sentence({ message, code }: { message: string; code?: unknown }, refused: boolean): string {
  if (refused) return 'The broker does not accept this board’s credential.'
  if (code === 3) return 'The broker does not let this board in just now.'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'The broker’s certificate is for another name. Not connecting.'
  if (code === 'CERT_HAS_EXPIRED') return 'The broker’s certificate has expired. Not connecting.'
  if (typeof code === 'string' && /CERT|SELF_SIGNED|ISSUER|SIGNATURE/.test(code)) {
    return 'The broker’s certificate does not come from the CA that this board was given. Not connecting.'
  }
  return `The broker cannot be reached (${typeof code === 'string' ? code : message || 'no reason given'}).`
}
