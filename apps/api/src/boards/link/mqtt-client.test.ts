import { createServer, type AddressInfo } from 'node:net'
import { peerTopic } from '@batti/contracts'
import { until } from '@batti/kit/testing'
import { pino, type Logger } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { createMqttLink, type MqttLink } from './mqtt-client.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A minimal broker for an api: it sends messages back to it while `brings` is set. */
async function startBroker() {
  const accepted = Buffer.from([0x20, 0x02, 0x00, 0x00])
  const unavailable = Buffer.from([0x20, 0x02, 0x00, 0x03])
  const answered = (messageId: Buffer, code: number) =>
    Buffer.concat([Buffer.from([0x90, 0x04]), messageId, Buffer.from([code, code])])
  const broker = { connects: 0, subscribes: 0, isAway: false, ends: false, refuses: false, brings: true, port: 0 }
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (packet) => {
      const kind = (packet[0] ?? 0) >> 4
      if (kind === 1) {
        broker.connects += 1
        if (broker.isAway) socket.end(unavailable)
        else socket.write(accepted)
      }
      if (kind === 3 && broker.brings) socket.write(packet)
      if (kind !== 8) return
      broker.subscribes += 1
      if (broker.ends) socket.end()
      else socket.write(answered(packet.subarray(2, 4), broker.refuses ? 128 : 0))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closing.push(() => server.close())
  broker.port = (server.address() as AddressInfo).port
  return broker
}

function openLink(
  port: number,
  { log = pino({ level: 'silent' }), hearEveryMs }: { log?: Logger; hearEveryMs?: number } = {}
): { link: MqttLink; turns: string[] } {
  const turns: string[] = []
  const link = createMqttLink({
    url: `mqtt://127.0.0.1:${port}`,
    caFile: undefined,
    clientId: 'api-test',
    password: 'x',
    sharedGroup: undefined,
    log,
    ...(hearEveryMs === undefined ? {} : { hearEveryMs }),
    onMessage: (topic) => turns.push(topic),
    onPeer: (payload) => turns.push(`peer: ${payload.toString()}`),
    onUp: () => turns.push('up'),
    onDown: () => turns.push('down')
  })
  closing.push(() => link.stop())
  return { link, turns }
}

it('reconnects to a broker that first answered that its server is unavailable', async () => {
  const broker = await startBroker()
  broker.isAway = true
  const { link, turns } = openLink(broker.port)
  await until('the client has connected once', () => broker.connects >= 1)
  broker.isAway = false
  await until('the link is up', () => link.isUp())
  expect(turns).toEqual(['up'])
})

/** A log, and what it is told. */
function heardLog() {
  const told: string[] = []
  return { told, log: pino({ hooks: { logMethod: (args) => void told.push(String(args.at(-1))) } }) }
}

it('reports once that the broker cannot be reached, however often it tries', async () => {
  const { told, log } = heardLog()
  const broker = await startBroker()
  broker.isAway = true
  const { link } = openLink(broker.port, { log })
  await until('the client has connected three times', () => broker.connects >= 3)
  broker.isAway = false
  await until('the link is up', () => link.isUp())
  expect(told).toEqual(['the broker cannot be reached; trying again', 'connected to the broker'])
})

it('subscribes again on the same connection where the broker refused it, and reports that once', async () => {
  const { told, log } = heardLog()
  const broker = await startBroker()
  broker.refuses = true
  const { link } = openLink(broker.port, { log, hearEveryMs: 50 })
  await until('the client has subscribed three times', () => broker.subscribes >= 3)
  broker.refuses = false
  await until('the link is up', () => link.isUp())
  expect(broker.connects).toBe(1)
  expect(told).toEqual(['the broker refused the subscription to the boards', 'connected to the broker'])
})

it('does not call it a refusal when the connection ends before the subscription is answered', async () => {
  const { told, log } = heardLog()
  const broker = await startBroker()
  broker.ends = true
  const { link } = openLink(broker.port, { log })
  await until('the client has subscribed', () => broker.subscribes >= 1)
  broker.ends = false
  await until('the link is up', () => link.isUp())
  expect(told).not.toContain('the broker refused the subscription to the boards')
})

it('distinguishes messages of other instances from messages of boards', async () => {
  const broker = await startBroker()
  const { link, turns } = openLink(broker.port)
  await until('the link is up', () => link.isUp())
  link.publish(peerTopic(link.name), 'hello')
  await until("the link's handlers are told twice", () => turns.length >= 2)
  expect(turns).toEqual(['up', 'peer: hello'])
})

it('is up only while it receives its own messages: a broker may accept subscriptions and deliver nothing', async () => {
  const broker = await startBroker()
  const { link, turns } = openLink(broker.port, { hearEveryMs: 50 })
  await until('the link is up', () => link.isUp())
  broker.brings = false
  await until('the link is down', () => !link.isUp())
  // On a slow machine it may have been down before, too.
  const before = turns.length
  const { connects } = broker
  await until('the client has connected twice more', () => broker.connects >= connects + 2)
  expect([link.isUp(), turns.slice(before)]).toEqual([false, []])
  broker.brings = true
  await until('the link is up', () => link.isUp())
  expect([turns.slice(0, 2), turns[before]]).toEqual([['up', 'down'], 'up'])
})
