import {
  downFilter,
  downTopic,
  downTopics,
  mqttAuthBatchPath,
  mqttAuthBatchRequest,
  mqttAuthPath,
  mqttAuthRequest,
  mqttRefusal,
  mqttRefusedPath,
  upTopic,
  upTopics,
  type AclRule,
  type MqttAuthRequest,
  type MqttRefusal
} from '@batti/contracts'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { IConnectPacket } from 'mqtt-packet'
import { pino } from 'pino'
import { generate } from 'selfsigned'
import { systemClock, type Clock } from '@batti/kit/clock'
import { startBroker, type Limits } from '../src/compose.ts'
import type { Config } from '../src/config.ts'
import { connectPacket, openRaw, subscribePacket, type RawClient } from './raw-client.ts'

export const secret = randomBytes(24).toString('hex')
export const newDeviceId = (): string => randomBytes(12).toString('hex')

export interface HookReply {
  readonly status?: number
  readonly body?: unknown
}
/** `null`: never answer. */
export type HookBehaviour = (request: MqttAuthRequest) => HookReply | null | Promise<HookReply>

export const boardRules = (deviceId: string): AclRule[] => [
  ...upTopics.map((name): AclRule => ({ permission: 'allow', action: 'publish', topic: upTopic(deviceId, name) })),
  { permission: 'allow', action: 'subscribe', topic: downFilter(deviceId) },
  ...downTopics.map((name): AclRule => ({ permission: 'allow', action: 'subscribe', topic: downTopic(deviceId, name) }))
]
export const apiRules: AclRule[] = [
  { permission: 'allow', action: 'publish', topic: 'd/+/down/+' },
  { permission: 'allow', action: 'subscribe', topic: 'd/+/up/+' }
]

/** Answers like the api: the password must be `good`, and the username determines the rules. */
export const goodHook: HookBehaviour = ({ username = '', password }) => ({
  body:
    password === 'good'
      ? { result: 'allow', acl: username === 'api' ? apiRules : boardRules(username) }
      : { result: 'deny' }
})

export async function startHook(behave: HookBehaviour = goodHook) {
  const asked: MqttAuthRequest[] = []
  const batches: number[] = []
  const refusals: MqttRefusal[] = []
  const hook = { behave }
  const server = http.createServer((request, response) => {
    void (async () => {
      const body: unknown = JSON.parse(await text(request))
      if (request.headers.authorization !== `Bearer ${secret}`) response.writeHead(401).end()
      else if (request.url === mqttRefusedPath) {
        refusals.push(mqttRefusal.parse(body))
        response.writeHead(204).end()
      } else if (request.url === mqttAuthBatchPath) {
        const questions = mqttAuthBatchRequest.parse(body)
        batches.push(questions.length)
        asked.push(...questions)
        const replies = await Promise.all(questions.map(async (question) => hook.behave(question)))
        if (replies.includes(null)) return
        const answers = replies.map((reply) => ((reply?.status ?? 200) === 200 ? reply?.body : { result: 'ignore' }))
        response.end(JSON.stringify(answers))
      } else {
        const question = mqttAuthRequest.parse(body)
        asked.push(question)
        const reply = await hook.behave(question)
        if (reply !== null) response.writeHead(reply.status ?? 200).end(JSON.stringify(reply.body))
      }
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    asked,
    /** The number of requests in each batch. */
    batches,
    refusals,
    url: new URL(mqttAuthPath, address),
    batchUrl: new URL(mqttAuthBatchPath, address),
    answer: (changed: HookBehaviour) => {
      hook.behave = changed
    },
    stop: async () => {
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    }
  }
}

/** Makes a certificate and its key as PEM files in a new folder. */
export async function makeCertificate(commonName = 'localhost') {
  const folder = await mkdtemp(join(tmpdir(), 'batti-broker-'))
  const certFile = join(folder, 'cert.pem')
  const keyFile = join(folder, 'key.pem')
  async function write(name: string): Promise<string> {
    const made = await generate([{ name: 'commonName', value: name }], {
      keyType: 'ec',
      curve: 'P-256',
      algorithm: 'sha256'
    })
    await writeFile(certFile, made.cert)
    await writeFile(keyFile, made.private)
    return made.cert
  }
  const cert = await write(commonName)
  return { certFile, keyFile, cert, renew: write, remove: () => rm(folder, { recursive: true, force: true }) }
}

export interface RigOptions {
  readonly limits?: Partial<Limits>
  readonly config?: Partial<Config>
  readonly behave?: HookBehaviour
  /** With the batch endpoint, as in `npm start`; without it, as with an api for EMQX. */
  readonly inBatches?: boolean
  readonly clock?: Clock
}

/** Starts the real broker, composed as in production, with a real HTTP hook, on free ports. */
export async function startRig({
  limits = {},
  config: settings = {},
  behave = goodHook,
  inBatches = false,
  clock = systemClock
}: RigOptions = {}) {
  const certificate = await makeCertificate()
  const hook = await startHook(behave)
  const config: Config = {
    mqttHost: '127.0.0.1',
    mqttPort: 0,
    certFile: certificate.certFile,
    keyFile: certificate.keyFile,
    authUrls: [hook.url],
    authBatchUrls: inBatches ? [hook.batchUrl] : [],
    secret,
    httpHost: '127.0.0.1',
    httpPort: 0,
    packetsPerSecond: 0,
    packetsBurst: 0,
    logLevel: 'silent',
    ...settings
  }
  const broker = await startBroker({
    config,
    log: pino({ level: 'silent' }),
    clock,
    // Tests share two cores with others, so time-outs that are not under test are long.
    limits: { pendingTimeMs: 30_000, handshakeTimeoutMs: 30_000, hookTimeoutMs: 30_000, refusalGatherMs: 10, ...limits }
  })
  const open = () => openRaw(broker.mqttPort)

  async function connect(changes: Partial<IConnectPacket> & { clientId: string }): Promise<RawClient> {
    const client = await open()
    client.send(connectPacket(changes))
    const { returnCode } = await client.next('connack')
    if (returnCode !== 0) throw new Error(`CONNACK ${returnCode}`)
    return client
  }

  async function subscribed(client: RawClient, ...filters: string[]): Promise<RawClient> {
    client.send(subscribePacket(...filters))
    const { granted } = await client.next('suback')
    if (granted.some((qos) => Number(qos) > 2)) throw new Error('subscription denied')
    return client
  }

  return {
    broker,
    hook,
    certificate,
    open,
    connect,
    subscribed,
    /** Connects as the api, subscribed to all boards. */
    api: async (clientId = 'api-1') => subscribed(await connect({ clientId, username: 'api' }), 'd/+/up/+'),
    /** Connects as a board, subscribed to its commands. */
    board: async (deviceId: string, changes: Partial<IConnectPacket> = {}) =>
      subscribed(await connect({ clientId: `dev-${deviceId}`, ...changes }), downFilter(deviceId)),
    /** Sends one CONNECT on a new connection. Returns the return code; null when it was closed without one. */
    connackOf: async (changes: Partial<IConnectPacket> & { clientId: string }): Promise<number | null> => {
      const client = await open()
      client.send(connectPacket(changes))
      const heard = await Promise.race([
        client.closed,
        client.next('connack').then(
          (one) => [one],
          () => client.closed
        )
      ])
      const answer = heard.find((packet) => packet.cmd === 'connack')
      if (answer?.cmd === 'connack' && answer.returnCode === 0) client.socket.destroy()
      return answer?.cmd === 'connack' ? (answer.returnCode ?? null) : null
    },
    management: (path: string, init: { method?: string; headers?: Record<string, string> } = {}) =>
      fetch(`http://127.0.0.1:${broker.httpPort}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${secret}`, ...init.headers }
      }),
    stop: async () => {
      await broker.stop()
      await hook.stop()
      await certificate.remove()
    }
  }
}

export type Rig = Awaited<ReturnType<typeof startRig>>
