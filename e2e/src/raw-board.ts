import { deviceClientId } from '@batti/contracts'
import type { Product } from '@batti/launcher/testing/start-product'
import { connectPacket, openRaw, publishPacket, subscribePacket } from '../../apps/broker/test/raw-client.ts'

/** A board that sends exactly the given MQTT packets, without a client library. */
export interface RawBoard {
  publish(topic: string, payload: string): void
  subscribe(filter: string): void
  /** Returns the payload of the next matching message; others are dropped. */
  next(wanted: (topic: string, payload: unknown) => boolean): Promise<unknown>
  /** Resolves when the connection is closed by either side. */
  closed: Promise<unknown>
  /** Disconnects cleanly. A board that reconnects without that takes over its own connection, which is counted against it. */
  leave(): Promise<void>
}

export interface RawLogin {
  clientId?: string
  username?: string
  password?: string
}

/** Connects as a board. @throws when the broker refuses. */
export async function connectAsBoard(
  { broker }: Pick<Product, 'broker'>,
  own: { deviceId: string; password: string },
  login: RawLogin = {}
): Promise<RawBoard> {
  const { clientId = deviceClientId(own.deviceId), username = own.deviceId, password = own.password } = login
  const client = await openRaw(broker.port, { host: broker.host, ca: broker.caPem, rejectUnauthorized: true })
  client.send(connectPacket({ clientId, username, password: Buffer.from(password) }))
  const { returnCode } = await client.next('connack')
  if (returnCode !== 0) {
    client.socket.destroy()
    throw new Error(`refused with ${returnCode}`)
  }
  return {
    publish: (topic, payload) => client.send(publishPacket(topic, payload)),
    subscribe: (filter) => client.send(subscribePacket(filter)),
    async next(wanted) {
      for (;;) {
        const { topic, payload } = await client.next('publish')
        const message: unknown = JSON.parse(payload.toString())
        if (wanted(topic, message)) return message
      }
    },
    closed: client.closed,
    async leave() {
      if (client.isOpen()) client.send({ cmd: 'disconnect' })
      client.socket.end()
      await client.closed
    }
  }
}
