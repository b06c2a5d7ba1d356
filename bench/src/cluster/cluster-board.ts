import { randomBytes } from 'node:crypto'
import { Socket } from 'node:net'
import { deviceClientId } from '@batti/contracts'
import { connect } from 'mqtt'
import type { PairedBoard } from './cluster.ts'

/** A board that obeys, and says again what was not acknowledged, as boards do. */
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
  /** Without a farewell: the broker tells its will. */
  vanish(): void
  close(): void
  /** Every message that came, whatever its topic. */
  topics: string[]
  subscribe(filter: string): Promise<void>
  publish(topic: string, payload: string): void
}

const repeatMs = [1000, 2000, 4000, 8000, 16_000, 30_000]
const outlets = 4

export async function connectClusterBoard(mqttPort: number, board: PairedBoard): Promise<ClusterBoard> {
  const { deviceId, mac, password } = board
  const bootId = randomBytes(12).toString('hex')
  const will = JSON.stringify({ online: false, bootId, conn: 1 })
  const client = connect(`mqtt://127.0.0.1:${mqttPort}`, {
    protocolVersion: 4,
    clientId: deviceClientId(deviceId),
    username: deviceId,
    password,
    keepalive: 60,
    reconnectPeriod: 0,
    will: { topic: `d/${deviceId}/up/status`, payload: Buffer.from(will), qos: 0, retain: false }
  })
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('error', reject)
    client.once('close', () => reject(new Error('the broker closed the connection')))
  })
  client.on('error', () => undefined)
  if (client.stream instanceof Socket) client.stream.setNoDelay(true)
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
  client.on('message', (topic, payload) => {
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
  })
  await client.subscribeAsync(`d/${deviceId}/down/+`, { qos: 0 })
  const heartbeat = (): void => up('status', JSON.stringify({ online: true, bootId, conn: 1, rssi: -60 }))
  heartbeat()
  report({ cause: 'boot', osVersion: '1.4.0' })
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
      endTimers()
      client.stream.destroy()
    },
    close() {
      endTimers()
      client.end(true)
    },
    async subscribe(filter) {
      await client.subscribeAsync(filter, { qos: 0 }).catch(() => undefined)
    },
    publish: (topic, payload) => void client.publish(topic, payload, { qos: 0 })
  }
}
