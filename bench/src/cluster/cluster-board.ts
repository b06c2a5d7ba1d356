import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { deviceClientId } from '@batti/contracts'
import { connect, type MqttClient } from 'mqtt'
import { whenConnected } from '../load/when-connected.ts'
import type { PairedBoard } from '../fill/introduce-board.ts'
import type { MqttAddress } from './cluster.ts'

/** A board that executes commands, repeats unacknowledged reports, and reconnects, like a real one. */
export interface ClusterBoard {
  mac: string
  deviceId: string
  state: boolean[]
  /** Ids of commands that changed something, in order. */
  executed: string[]
  isConnected(): boolean
  unacknowledged(): number
  press(index: number): void
  heartbeat(): void
  /** Ends the connection without a farewell, so that the broker publishes the will. */
  vanish(): void
  close(): void
  /** The topics of all messages that arrived. */
  topics: string[]
  subscribe(filter: string): Promise<void>
  publish(topic: string, payload: string): void
}

const repeatMs = [1000, 2000, 4000, 8000, 16_000, 30_000]
const outlets = 4

export async function connectClusterBoard(mqtt: MqttAddress, board: PairedBoard): Promise<ClusterBoard> {
  const { deviceId, mac } = board
  const bootId = randomBytes(12).toString('hex')
  let conn = 1
  let isLeft = false
  let client = await dial(mqtt, board, { bootId, conn })
  let seq = 0
  const waiting = new Map<number, { payload: string; tries: number; timer: NodeJS.Timeout }>()
  const state = Array.from({ length: outlets }, () => false)
  const executed: string[] = []
  const topics: string[] = []
  const up = (name: string, payload: string): void => {
    if (client.connected) client.publish(`d/${deviceId}/up/${name}`, payload, { qos: 0 })
  }
  function send(number: number): void {
    const held = waiting.get(number)
    if (held === undefined) return
    up('update-from-device', held.payload)
    held.timer = setTimeout(() => send(number), repeatMs[Math.min(held.tries, repeatMs.length - 1)])
    held.tries += 1
  }
  function report(rest: object): void {
    seq += 1
    const payload = JSON.stringify({ bootId, seq, switch: state, speed: state.map(() => 0), ...rest })
    waiting.set(seq, { payload, tries: 0, timer: setTimeout(() => undefined, 0) })
    send(seq)
  }
  function hear(topic: string, payload: Buffer): void {
    topics.push(topic)
    if (topic.endsWith('/ack')) {
      const { seq: number } = JSON.parse(payload.toString()) as { seq: number }
      clearTimeout(waiting.get(number)?.timer)
      waiting.delete(number)
    } else if (topic === `d/${deviceId}/down/switch-update`) {
      const { id, set } = JSON.parse(payload.toString()) as { id: string; set: { index: number; on: boolean }[] }
      if (set.some(({ index, on }) => state[index] !== on)) executed.push(id)
      for (const { index, on } of set) state[index] = on
      report({ cause: 'command', commandId: id, result: 'applied', changed: set.map(({ index }) => index) })
    }
  }
  const heartbeat = (): void => up('status', JSON.stringify({ online: true, bootId, conn, rssi: -60 }))
  async function arrive(cause: 'boot' | 'resync'): Promise<void> {
    client.on('message', hear)
    client.once('close', () => {
      if (!isLeft) void comeBack()
    })
    await client.subscribeAsync(`d/${deviceId}/down/+`, { qos: 0 })
    heartbeat()
    report({ cause, osVersion: '1.4.0' })
  }
  async function comeBack(): Promise<void> {
    await wait(500 + Math.random() * 500)
    if (isLeft) return
    conn += 1
    try {
      client = await dial(mqtt, board, { bootId, conn })
      await arrive('resync')
    } catch {
      if (!client.connected) void comeBack()
    }
  }
  await arrive('boot')
  const endTimers = (): void => {
    for (const { timer } of waiting.values()) clearTimeout(timer)
  }

  return {
    mac,
    deviceId,
    state,
    executed,
    topics,
    isConnected: () => client.connected,
    unacknowledged: () => waiting.size,
    press(index) {
      state[index] = state[index] !== true
      report({ cause: 'button', changed: [index] })
    },
    heartbeat,
    vanish() {
      isLeft = true
      endTimers()
      client.stream.destroy()
    },
    close() {
      isLeft = true
      endTimers()
      client.end(true)
    },
    async subscribe(filter) {
      await client.subscribeAsync(filter, { qos: 0 }).catch(() => undefined)
    },
    publish: (topic, payload) => void client.publish(topic, payload, { qos: 0 })
  }
}

/** Opens one connection of a board. @throws the broker's error, or an Error when it does not answer. */
async function dial(
  { url, ca }: MqttAddress,
  { deviceId, password }: PairedBoard,
  { bootId, conn }: { bootId: string; conn: number }
): Promise<MqttClient> {
  const will = JSON.stringify({ online: false, bootId, conn })
  const client = connect(url, {
    protocolVersion: 4,
    clientId: deviceClientId(deviceId),
    username: deviceId,
    password,
    keepalive: 60,
    reconnectPeriod: 0,
    connectTimeout: 5000,
    ...(ca === undefined ? {} : { ca }),
    will: { topic: `d/${deviceId}/up/status`, payload: Buffer.from(will), qos: 0, retain: false }
  })
  await whenConnected(client)
  return client
}
