import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  downFilter,
  upTopic,
  type AckPayload,
  type DeviceCredentials,
  type DeviceReport,
  type SwitchUpdatePayload
} from '@batti/contracts'
import mqtt, { type MqttClient } from 'mqtt'

export interface TestBoard {
  credentials: DeviceCredentials
  /** Messages from the server, by the last level of their topic. */
  heard: { name: string; payload: unknown }[]
  acks: AckPayload[]
  state: boolean[]
  bootId: string
  /** Receives commands, but does nothing. */
  isMute: boolean
  /** Reports the current state; returns the report's seq. */
  report(fields: Partial<DeviceReport>): number
  /** Publishes anything on one of its `up` topics. */
  say(name: string, payload: unknown): void
  press(index: number): void
  /** Disconnects in order, after everything was sent. */
  leave(): Promise<void>
  /** Drops the connection without a DISCONNECT. */
  vanish(): void
  isConnected(): boolean
  /** Resolves when the connection has ended, on either side. */
  ended: Promise<void>
  stop(): void
}

/** The return code of a broker that cannot ask the api: whether the board is known has not been decided. */
const serverUnavailable = 3

/** Connects, and like every board again while the broker answers that the server is unavailable. */
async function connected(open: () => MqttClient): Promise<{ client: MqttClient; ended: Promise<void> }> {
  const client = open()
  const ended = new Promise<void>((resolve) => client.once('close', () => resolve()))
  try {
    await new Promise<void>((resolve, reject) => {
      client.once('connect', () => resolve())
      client.once('error', reject)
      void ended.then(() => reject(new Error('closed before it was connected')))
    })
  } catch (error) {
    if (!(error instanceof mqtt.ErrorWithReasonCode) || error.code !== serverUnavailable) throw error
    await ended
    await pause(100)
    return connected(open)
  }
  return { client, ended }
}

/** Connects a minimal board over real TLS; firmware-sim has the complete one. */
export async function connectBoard(
  credentials: DeviceCredentials,
  options: { ca: string; outlets: number; bootId?: string; announce?: boolean }
): Promise<TestBoard> {
  const { deviceId } = credentials
  const bootId = options.bootId ?? randomBytes(8).toString('hex')
  let seq = 0
  const status = (online: boolean) => JSON.stringify({ online, bootId, conn: 1 })
  const { client, ended } = await connected(() =>
    mqtt.connect(`mqtts://127.0.0.1:${credentials.mqttPort}`, {
      protocolVersion: 4,
      clientId: credentials.clientId,
      username: credentials.mqttUsername,
      password: credentials.mqttPassword,
      keepalive: credentials.keepaliveS,
      reconnectPeriod: 0,
      ca: options.ca,
      will: { topic: upTopic(deviceId, 'status'), payload: Buffer.from(status(false)), qos: 0, retain: false }
    })
  )

  const board: TestBoard = {
    credentials,
    heard: [],
    acks: [],
    state: Array.from({ length: options.outlets }, () => false),
    bootId,
    isMute: false,
    report(fields) {
      seq += 1
      const report = { bootId, seq, switch: board.state, speed: board.state.map(() => 0), cause: 'resync', ...fields }
      client.publish(upTopic(deviceId, 'update-from-device'), JSON.stringify(report))
      return report.seq
    },
    say(name, payload) {
      const text = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload)
      client.publish(`d/${deviceId}/up/${name}`, text)
    },
    press(index) {
      board.state = board.state.map((isOn, at) => (at === index ? !isOn : isOn))
      board.report({ cause: 'button', changed: [index] })
    },
    leave: () => client.endAsync(),
    vanish: () => void client.stream.destroy(),
    isConnected: () => client.connected,
    ended,
    stop: () => void client.end(true)
  }
  client.on('error', () => undefined)
  client.on('message', (topic, message) => {
    const name = topic.split('/').at(-1) ?? ''
    const payload: unknown = JSON.parse(message.toString())
    board.heard.push({ name, payload })
    if (name === 'ack') board.acks.push(payload as AckPayload)
    if (name === 'switch-update' && !board.isMute) applyCommand(payload as SwitchUpdatePayload)
  })
  function applyCommand({ id, set }: SwitchUpdatePayload): void {
    for (const { index, on } of set) if (on !== undefined) board.state[index] = on
    board.report({ cause: 'command', commandId: id, result: 'applied', changed: set.map(({ index }) => index) })
  }
  // With its listener in place, for a message can arrive together with the confirmation.
  await client.subscribeAsync(downFilter(deviceId))
  if (options.announce ?? true) {
    board.say('status', status(true))
    board.report({ cause: 'boot' })
  }
  return board
}
