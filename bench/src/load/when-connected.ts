import type { MqttClient } from 'mqtt'
import { Socket } from 'node:net'

/** Resolves when the client is connected. @throws the broker's error, or an Error when it does not answer. */
export async function whenConnected(client: MqttClient): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('error', reject)
    client.once('close', () => reject(new Error('the broker closed the connection')))
  })
  client.on('error', () => undefined)
  if (client.stream instanceof Socket) client.stream.setNoDelay(true)
}
