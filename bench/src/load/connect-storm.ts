import { deviceClientId } from '@batti/contracts'
import { createSemaphore } from '@batti/kit/semaphore'
import { connect as connectTls, createSecureContext, type TLSSocket } from 'node:tls'
import type { Target, TargetBoard } from './target.ts'

export interface Storm {
  perSecond: number
  failed: number
  close(): void
}

const atOnce = 32
const patientMs = 20_000

/** Connects every board of a target by TLS, `atOnce` at a time, and subscribes like a board. */
export async function connectAll({ broker, boards }: Target): Promise<Storm> {
  const context = createSecureContext({ ca: broker.caPem })
  const { run } = createSemaphore(atOnce)
  const sockets: TLSSocket[] = []
  let failed = 0
  const startedAt = performance.now()
  async function connect(board: TargetBoard): Promise<void> {
    try {
      const socket = connectTls({ host: broker.host, port: broker.port, secureContext: context })
      sockets.push(socket)
      await introduce(socket, board)
    } catch {
      failed += 1
    }
  }
  await Promise.all(boards.map((board) => run(() => connect(board))))
  const perSecond = ((boards.length - failed) * 1000) / (performance.now() - startedAt)
  return {
    perSecond,
    failed,
    close() {
      for (const socket of sockets) socket.destroy()
    }
  }
}

/** Sends CONNECT, waits for CONNACK, sends SUBSCRIBE, waits for SUBACK. */
function introduce(socket: TLSSocket, { deviceId, password }: TargetBoard): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer')), patientMs)
    const end = (error?: Error): void => {
      clearTimeout(timer)
      if (error === undefined) resolve()
      else reject(error)
    }
    socket.setNoDelay(true)
    socket.on('error', end)
    socket.on('close', () => end(new Error('closed')))
    socket.once('secureConnect', () => socket.write(connectPacket(deviceId, password)))
    socket.on('data', (chunk: Buffer) => {
      const type = (chunk[0] ?? 0) >> 4
      if (type === 2 && chunk[3] === 0) socket.write(subscribePacket(deviceId))
      else if (type === 2) end(new Error(`refused with ${chunk[3]}`))
      else if (type === 9) end()
    })
  })
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}

/** Encodes a packet, whose remaining length here needs one byte (below 128) or two (below 16,384). */
function packet(type: number, body: Buffer): Buffer {
  const { length } = body
  const size = length < 128 ? [length] : [(length & 127) | 128, length >> 7]
  return Buffer.concat([Buffer.from([type, ...size]), body])
}

const connectPacket = (deviceId: string, password: string): Buffer =>
  packet(
    0x10,
    Buffer.concat([
      text('MQTT'),
      Buffer.from([4, 0xc2, 0, 120]),
      text(deviceClientId(deviceId)),
      text(deviceId),
      text(password)
    ])
  )

const subscribePacket = (deviceId: string): Buffer =>
  packet(0x82, Buffer.concat([Buffer.from([0, 1]), text(`d/${deviceId}/down/+`), Buffer.from([0])]))
