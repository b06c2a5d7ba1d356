import { deviceClientId } from '@batti/contracts'
import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import type { Product } from '@batti/launcher/testing/start-product'

/** A client that says exactly what it is told, in MQTT 3.1.1 packets written by hand: no library is in the way. */
export interface RawBoard {
  publish(topic: string, payload: string): void
  subscribe(filter: string): void
  /** The payload of the next message that is wanted. */
  next(wanted: (topic: string, payload: unknown) => boolean): Promise<unknown>
  /** Resolves when the connection is closed, whoever closed it. */
  closed: Promise<true>
  /** Goes in order. A board that connects again without it takes over its own connection, which is counted against it. */
  leave(): Promise<void>
}

export interface RawLogin {
  clientId?: string
  username?: string
  password?: string
}

const packetTypes = { connect: 0x10, connack: 2, publish: 0x30, subscribe: 0x82, disconnect: 0xe0 }

/** Connects as a board. @throws when the broker refuses. */
export async function connectAsBoard(
  { broker }: Pick<Product, 'broker'>,
  own: { deviceId: string; password: string },
  login: RawLogin = {}
): Promise<RawBoard> {
  const { clientId = deviceClientId(own.deviceId), username = own.deviceId, password = own.password } = login
  const socket = connectTls({ host: broker.host, port: broker.port, ca: broker.caPem })
  socket.on('error', () => undefined)
  // Reset or ended: gone is gone.
  const closed = new Promise<true>((resolve) => void socket.once('close', () => resolve(true)))
  await Promise.race([
    once(socket, 'secureConnect'),
    closed.then(() => {
      throw new Error('closed before TLS')
    })
  ])
  const listeners = new Set<(topic: string, payload: unknown) => void>()
  let welcome: (code: number) => void = () => undefined
  let waiting = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk])
    for (let packet = takePacket(waiting); packet !== null; packet = takePacket(waiting)) {
      waiting = packet.rest
      if (packet.type >> 4 === packetTypes.connack) welcome(packet.body[1] ?? 255)
      else if (packet.type >> 4 === packetTypes.publish >> 4) {
        const { topic, payload } = readPublish(packet.body)
        for (const listen of listeners) listen(topic, payload)
      }
    }
  })

  const answered = new Promise<number>((resolve) => {
    welcome = resolve
  })
  socket.write(
    encode(packetTypes.connect, [
      text('MQTT'),
      // Level 4; name, password, clean session; keepalive 60 s.
      Buffer.from([4, 0xc2, 0, 60]),
      text(clientId),
      text(username),
      text(password)
    ])
  )
  const code = await Promise.race([answered, closed.then(() => 'closed' as const)])
  if (code !== 0) {
    socket.destroy()
    throw new Error(code === 'closed' ? 'closed before CONNACK' : `refused with ${code}`)
  }
  return {
    publish: (topic, payload) => void socket.write(encode(packetTypes.publish, [text(topic), Buffer.from(payload)])),
    subscribe: (filter) =>
      void socket.write(encode(packetTypes.subscribe, [Buffer.from([0, 1]), text(filter), Buffer.from([0])])),
    next: (wanted) =>
      new Promise((resolve, reject) => {
        const listen = (topic: string, payload: unknown): void => {
          if (!wanted(topic, payload)) return
          listeners.delete(listen)
          resolve(payload)
        }
        listeners.add(listen)
        void closed.then(() => reject(new Error('closed before the message')))
      }),
    closed,
    leave: async () => {
      if (!socket.destroyed) socket.end(encode(packetTypes.disconnect, []))
      await closed
    }
  }
}

function encode(type: number, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const length: number[] = []
  let left = body.length
  do {
    const digit = left % 128
    left = Math.floor(left / 128)
    length.push(left > 0 ? digit | 128 : digit)
  } while (left > 0)
  return Buffer.concat([Buffer.from([type, ...length]), body])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** The first whole packet of what has arrived, or null. */
function takePacket(bytes: Buffer): { type: number; body: Buffer<ArrayBuffer>; rest: Buffer<ArrayBuffer> } | null {
  let length = 0
  for (let index = 1; index < Math.min(bytes.length, 5); index += 1) {
    const digit = bytes[index] ?? 0
    length += (digit & 127) * 128 ** (index - 1)
    if (digit >= 128) continue
    const end = index + 1 + length
    if (bytes.length < end) return null
    return {
      type: bytes[0] ?? 0,
      body: Buffer.from(bytes.subarray(index + 1, end)),
      rest: Buffer.from(bytes.subarray(end))
    }
  }
  return null
}

/** At QoS 0, which is what boards are sent at. */
function readPublish(body: Buffer): { topic: string; payload: unknown } {
  const length = body.readUInt16BE(0)
  return {
    topic: body.toString('utf8', 2, 2 + length),
    payload: JSON.parse(body.toString('utf8', 2 + length)) as unknown
  }
}
