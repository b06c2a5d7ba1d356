import { deviceClientId, firmwareUpdatePayload, statusIntervalMs, type FirmwareUpdatePayload } from '@batti/contracts'
import { connect, type MqttClient } from 'mqtt'
import { randomBytes } from 'node:crypto'
import type { Target, TargetBoard } from './target.ts'
import { whenConnected } from './when-connected.ts'

export interface LoadBoard {
  /** Returns the number of reports that the server has not acknowledged. */
  unacknowledged(): number
  say(name: string, payload: object): void
  close(): void
}

export interface LoadBoardOptions {
  osVersion?: string
  onUpdate?: (update: FirmwareUpdatePayload) => void
}

const outlets = 4

/**
 * Connects a minimal board with the real protocol: it executes commands at once and counts acknowledgements. Resolves when
 * it has sent its first report.
 */
export async function connectBoard(
  { broker }: Pick<Target, 'broker'>,
  { deviceId, password }: TargetBoard,
  { osVersion = '1.4.0', onUpdate }: LoadBoardOptions = {}
): Promise<LoadBoard> {
  const client: MqttClient = connect({
    protocol: 'mqtts',
    host: broker.host,
    port: broker.port,
    ca: broker.caPem,
    protocolVersion: 4,
    clientId: deviceClientId(deviceId),
    username: deviceId,
    password,
    clean: true,
    keepalive: 60,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false
  })
  client.setMaxListeners(0)
  await whenConnected(client)

  const bootId = randomBytes(12).toString('hex')
  const switches = Array.from({ length: outlets }, () => false)
  const speed = Array.from({ length: outlets }, () => 0)
  const open = new Set<number>()
  let seq = 0
  const up = (name: string, payload: object): void => {
    client.publish(`d/${deviceId}/up/${name}`, JSON.stringify(payload), { qos: 0 })
  }
  const report = (rest: object): void => {
    seq += 1
    open.add(seq)
    up('update-from-device', { bootId, seq, switch: switches, speed, ...rest })
  }

  client.on('message', (topic, payload) => {
    if (topic.endsWith('/ack')) {
      const { seq: acknowledged } = JSON.parse(payload.toString()) as { seq: number }
      open.delete(acknowledged)
    } else if (topic.endsWith('/switch-update')) {
      const { id, set } = JSON.parse(payload.toString()) as { id: string; set: { index: number; on: boolean }[] }
      for (const { index, on } of set) switches[index] = on
      report({ cause: 'command', commandId: id, result: 'applied', changed: set.map(({ index }) => index) })
    } else if (onUpdate !== undefined && topic.endsWith('/firmware-update')) {
      onUpdate(firmwareUpdatePayload.parse(JSON.parse(payload.toString())))
    }
  })
  await client.subscribeAsync(`d/${deviceId}/down/+`, { qos: 0 })
  const beat = (): void => up('status', { online: true, bootId, conn: 1 })
  beat()
  // After a longer silence the server considers a board offline.
  const heart = setInterval(beat, statusIntervalMs)
  report({ cause: 'boot', uptimeS: 1, osVersion })

  return {
    unacknowledged: () => open.size,
    say: up,
    close() {
      clearInterval(heart)
      client.end(true)
    }
  }
}
