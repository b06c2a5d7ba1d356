import { allUpFilter, downFilter, downTopic, peerTopic, serviceUsername } from '@batti/contracts'
import { connect, type MqttClient } from 'mqtt'
import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Logger } from 'pino'

export interface MqttLink {
  /** The name by which other api instances reach this one. */
  readonly name: string
  isUp(): boolean
  /** Publishes at QoS 0: a lost command must expire instead of arriving late. Returns false when there is no connection. */
  publish(topic: string, payload: string): boolean
  stop(): Promise<void>
}

export interface MqttLinkOptions {
  url: string
  caFile: string | undefined
  clientId: string
  password: string
  /** The `$share` group: each message then reaches one api instance instead of all. */
  sharedGroup: string | undefined
  log: Logger
  /** How often the link publishes a message to itself, in milliseconds. */
  hearEveryMs?: number
  onMessage(topic: string, payload: Buffer): void
  /** Called with a message of another api instance. */
  onPeer(payload: Buffer): void
  onUp(): void
  onDown(): void
}

const hearEveryMs = 10_000
/** The connection counts as broken once this many of its own messages have not come back. */
const missedAtMost = 2

/**
 * The api's connection to the broker, and the only file that knows the MQTT client. It counts as up only while the api
 * receives its own messages through it: a broker can accept a subscription and deliver nothing.
 */
export function createMqttLink(options: MqttLinkOptions): MqttLink {
  const { log } = options
  const probeTopic = downTopic(options.clientId, 'ack')
  const fromPeers = peerTopic(options.clientId)
  const filter = options.sharedGroup === undefined ? allUpFilter : `$share/${options.sharedGroup}/${allUpFilter}`
  const client: MqttClient = connect(options.url, {
    protocolVersion: 4,
    clean: true,
    clientId: options.clientId,
    username: serviceUsername,
    password: options.password,
    keepalive: 30,
    connectTimeout: 5000,
    reconnectPeriod: 1000,
    // The broker answers CONNACK 3 while our hook is not up yet. Without this option the client would give up for good.
    reconnectOnConnackError: true,
    queueQoSZero: false,
    resubscribe: false,
    ...(options.caFile === undefined ? {} : { ca: readFileSync(options.caFile) })
  })
  let isUp = false
  let isSubscribed = false
  let missed = 0
  /** Why there is no link: it is tried again and again, so each distinct reason is logged once. */
  let reason = ''

  function isNew(why: string): boolean {
    const last = reason
    reason = why
    return why !== last
  }

  client.on('connect', () => {
    // Nagle's algorithm would delay a command by up to 40 ms.
    if (client.stream instanceof Socket) client.stream.setNoDelay(true)
    subscribe()
  })

  function subscribe(): void {
    client.subscribe([filter, downFilter(options.clientId)], { qos: 0 }, (error, granted) => {
      // The connection ended before the answer: the next one subscribes.
      if (!client.connected) return
      if (error !== null || granted?.some(({ qos }) => qos === 128) === true) {
        if (!isNew('SUBSCRIBE')) return
        const hint = options.sharedGroup === undefined ? '' : ': one without $share needs MQTT_SHARED_GROUP left empty'
        log.error({ err: error }, `the broker refused the subscription to the boards${hint}`)
        return
      }
      isSubscribed = true
      sendProbe()
    })
  }

  function sendProbe(): void {
    missed += 1
    client.publish(probeTopic, '', { qos: 0 })
  }

  function probeReceived(): void {
    missed = 0
    if (isUp) return
    isUp = true
    reason = ''
    log.info('connected to the broker')
    options.onUp()
  }

  function checkHearing(): void {
    if (!isSubscribed) {
      // A refusal may pass, as when the rules of a broker are changed.
      if (client.connected) subscribe()
      return
    }
    if (missed < missedAtMost) {
      sendProbe()
      return
    }
    log.error(
      `the broker does not deliver ${probeTopic}, which the api publishes to itself: do its rules allow that topic?`
    )
    client.stream.destroy()
  }
  const checking = setInterval(checkHearing, options.hearEveryMs ?? hearEveryMs)

  client.on('close', () => {
    isSubscribed = false
    missed = 0
    if (isUp) {
      log.warn('the connection to the broker is lost')
      isUp = false
      options.onDown()
    }
  })
  // The broker may have switched to the next CA meanwhile.
  client.on('reconnect', () => {
    if (options.caFile !== undefined) client.options.ca = readFileSync(options.caFile)
  })
  client.on('error', (error) => {
    if (isNew('code' in error ? String(error.code) : error.message))
      log.warn({ err: error }, 'the broker cannot be reached; trying again')
  })
  client.on('message', (topic, payload) => {
    if (topic === probeTopic) probeReceived()
    else if (topic === fromPeers) options.onPeer(payload)
    else options.onMessage(topic, payload)
  })

  return {
    name: options.clientId,
    isUp: () => isUp,
    publish(topic, payload) {
      if (!isUp) return false
      client.publish(topic, payload, { qos: 0 })
      return true
    },
    async stop() {
      isUp = false
      clearInterval(checking)
      await client.endAsync(true)
    }
  }
}
