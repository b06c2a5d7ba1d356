import { once } from 'node:events'
import tls from 'node:tls'
import mqttPacket, { type IConnectPacket, type Packet } from 'mqtt-packet'

/** A client that sends exactly the given packets over a real TLS socket, and records what it receives. */
export interface RawClient {
  readonly socket: tls.TLSSocket
  readonly heard: Packet[]
  send: (packet: Packet | Buffer) => void
  /** Resolves with the next packet of a kind, received already or later. Rejects when the connection closes first. */
  next: <Kind extends Packet['cmd']>(cmd: Kind) => Promise<Extract<Packet, { cmd: Kind }>>
  /** Resolves when the broker answers, and so everything that it sent before has been received. */
  ping: () => Promise<void>
  /** Resolves with all received packets when the connection is closed. */
  closed: Promise<Packet[]>
  isOpen: () => boolean
}

export async function openRaw(port: number, options: tls.ConnectionOptions = {}): Promise<RawClient> {
  const socket = tls.connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options })
  socket.setNoDelay(true)
  const parser = mqttPacket.parser({ protocolVersion: 4 })
  const heard: Packet[] = []
  const waiting: { cmd: string; resolve: (packet: Packet) => void; reject: (error: Error) => void }[] = []
  let taken = new Set<Packet>()
  let open = true
  parser.on('packet', (packet) => {
    heard.push(packet)
    const index = waiting.findIndex((one) => one.cmd === packet.cmd)
    if (index < 0) return
    taken.add(packet)
    waiting.splice(index, 1)[0]?.resolve(packet)
  })
  socket.on('data', (chunk) => parser.parse(chunk))
  socket.on('error', () => {})
  const closed = new Promise<Packet[]>((resolve) => {
    socket.on('close', () => {
      open = false
      for (const one of waiting.splice(0)) one.reject(new Error(`closed before ${one.cmd}`))
      resolve(heard)
    })
  })
  await Promise.race([
    once(socket, 'secureConnect'),
    closed.then(() => {
      throw new Error('closed before TLS')
    })
  ])
  const send: RawClient['send'] = (packet) => {
    socket.write(Buffer.isBuffer(packet) ? packet : mqttPacket.generate(packet))
  }
  const next: RawClient['next'] = (cmd) =>
    new Promise((resolve, reject) => {
      const found = heard.find((packet) => packet.cmd === cmd && !taken.has(packet))
      if (found !== undefined) {
        taken = new Set([...taken, found])
        resolve(found as never)
      } else if (open) waiting.push({ cmd, resolve: resolve as never, reject })
      else reject(new Error(`closed before ${cmd}`))
    })
  return {
    socket,
    heard,
    send,
    next,
    ping: async () => {
      send({ cmd: 'pingreq' })
      await next('pingresp')
    },
    closed,
    isOpen: () => open
  }
}

export function connectPacket(changes: Partial<IConnectPacket> & { clientId: string }): IConnectPacket {
  return {
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    keepalive: 60,
    username: changes.clientId.replace(/^dev-/, ''),
    password: Buffer.from('good'),
    ...changes
  }
}

export const publishPacket = (topic: string, payload = '{}', qos: 0 | 1 | 2 = 0, retain = false): Packet => ({
  cmd: 'publish',
  topic,
  payload,
  qos,
  retain,
  dup: false,
  ...(qos > 0 ? { messageId: 7 } : {})
})

export const subscribePacket = (...topics: string[]): Packet => ({
  cmd: 'subscribe',
  messageId: 3,
  subscriptions: topics.map((topic) => ({ topic, qos: 0 as const }))
})
