import { downTopic, upTopic } from '@batti/contracts'
import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishPacket, subscribePacket, type RawClient } from '../test/raw-client.ts'
import { newDeviceId, startRig, type Rig } from '../test/rig.ts'

const payloadsOf = ({ heard }: RawClient): string[] =>
  heard.flatMap((one) => (one.cmd === 'publish' ? [one.payload.toString()] : []))

describe('topics on the composed broker', () => {
  let rig: Rig
  let api: RawClient
  const id = newDeviceId()
  const victimId = newDeviceId()
  let victim: RawClient

  beforeAll(async () => {
    rig = await startRig()
    api = await rig.api()
    victim = await rig.board(victimId)
  })
  afterAll(() => rig.stop())

  /** Returns what the api received from that board before a later message of the same kind. */
  async function heardByApi(topic: string): Promise<string[]> {
    const marker = upTopic(victimId, 'status')
    const before = api.heard.filter((one) => one.cmd === 'publish' && one.topic === marker).length
    victim.send(publishPacket(marker))
    await expect
      .poll(() => api.heard.filter((one) => one.cmd === 'publish' && one.topic === marker).length)
      .toBe(before + 1)
    return api.heard.flatMap((one) => (one.cmd === 'publish' && one.topic === topic ? [one.payload.toString()] : []))
  }

  it('carries reports to the api, and commands to that board alone', async () => {
    const board = await rig.board(id)
    board.send(publishPacket(upTopic(id, 'update-from-device'), '{"seq":1}'))
    await expect
      .poll(() => api.heard)
      .toContainEqual(expect.objectContaining({ topic: upTopic(id, 'update-from-device'), qos: 0, retain: false }))
    api.send(publishPacket(downTopic(id, 'switch-update'), '{"id":"c"}'))
    const command = await board.next('publish')
    expect([command.topic, command.payload.toString()]).toEqual([downTopic(id, 'switch-update'), '{"id":"c"}'])
    await victim.ping()
    expect(payloadsOf(victim)).not.toContain('{"id":"c"}')
    board.socket.destroy()
  })

  it("serves mqtt.js, the api's client, from connect to end", async () => {
    const client = await connectAsync(`mqtts://127.0.0.1:${rig.broker.mqttPort}`, {
      clientId: 'api-mqttjs',
      username: 'api',
      password: 'good',
      protocolVersion: 4,
      clean: true,
      keepalive: 30,
      rejectUnauthorized: false,
      reconnectPeriod: 0
    })
    const heard = new Promise<[string, string]>((resolve) => {
      client.on('message', (topic, payload) => resolve([topic, payload.toString()]))
    })
    expect((await client.subscribeAsync('d/+/up/+')).map(({ qos }) => qos)).toEqual([0])
    const board = await rig.board(id)
    board.send(publishPacket(upTopic(id, 'status'), '{"online":true}'))
    expect(await heard).toEqual([upTopic(id, 'status'), '{"online":true}'])
    await client.publishAsync(downTopic(id, 'ack'), '{"seq":1}')
    expect((await board.next('publish')).payload.toString()).toBe('{"seq":1}')
    await client.endAsync()
    board.socket.destroy()
  })

  it('accepts QoS 1 and acknowledges it, in both directions', async () => {
    const board = await rig.connect({ clientId: `dev-${id}` })
    board.send({ cmd: 'subscribe', messageId: 9, subscriptions: [{ topic: downTopic(id, 'ack'), qos: 1 }] })
    expect((await board.next('suback')).granted).toEqual([1])
    board.send(publishPacket(upTopic(id, 'status'), '{"qos":1}', 1))
    expect(await board.next('puback')).toMatchObject({ messageId: 7 })
    expect(await heardByApi(upTopic(id, 'status'))).toContain('{"qos":1}')
    api.send(publishPacket(downTopic(id, 'ack'), '{}', 1))
    const ack = await board.next('publish')
    expect(ack.qos).toBe(1)
    board.send({ cmd: 'puback', messageId: ack.messageId ?? 0 })
    await board.ping()
    board.socket.destroy()
  })

  it('delivers a message id again after a reconnect: the old session is gone', async () => {
    for (const payload of ['{"first":1}', '{"second":1}']) {
      const board = await rig.board(id)
      board.send(publishPacket(upTopic(id, 'status'), payload, 1))
      await board.next('puback')
      board.send({ cmd: 'disconnect' })
      await board.closed
    }
    expect((await heardByApi(upTopic(id, 'status'))).slice(-2)).toEqual(['{"first":1}', '{"second":1}'])
  })

  it.each([
    ["another board's status", upTopic(victimId, 'status'), 0, false],
    ['a topic of the server', downTopic(id, 'switch-update'), 0, false],
    ["another board's commands", downTopic(victimId, 'switch-update'), 0, false],
    ['$SYS', '$SYS/x/new/clients', 0, false],
    ['150 levels', 'a/'.repeat(149) + 'a', 0, false],
    ['a wildcard', 'd/+/up/status', 0, false],
    ['an empty topic', '', 0, false],
    ['its own topic, retained', upTopic(id, 'status'), 0, true],
    ['its own topic, at QoS 2', upTopic(id, 'status'), 2, false]
  ] as const)('closes a board that publishes to %s, and delivers it to nobody', async (_name, topic, qos, retain) => {
    const board = await rig.board(id)
    const payload = topic === '$SYS/x/new/clients' ? `dev-${victimId}` : 'forged'
    const parsed = publishPacket('placeholder', payload, qos, retain)
    board.send(
      topic.length > 0 && !topic.includes('+') ? ({ ...parsed, topic } as typeof parsed) : rawPublish(topic, payload)
    )
    const heard = await board.closed
    expect(heard.filter(({ cmd }) => cmd === 'puback' || cmd === 'pubrec')).toEqual([])
    expect(await heardByApi(topic)).not.toContain(payload)
    await victim.ping()
    expect(payloadsOf(victim)).not.toContain(payload)
  })

  it('reports a denied publish to the api with its topic', async () => {
    const board = await rig.board(id)
    board.send(publishPacket(downTopic(victimId, 'config-update')))
    await board.closed
    await expect
      .poll(() => rig.hook.refusals.find(({ topic }) => topic === downTopic(victimId, 'config-update')))
      .toMatchObject({ clientid: `dev-${id}`, username: id, peerhost: '127.0.0.1', reason: 'publish-denied' })
  })

  it.each([
    ['#'],
    ['$SYS/#'],
    ['d/+/down/+'],
    [`d/${victimId}/down/+`],
    [`d/${id}/#`],
    [`d/${id}/down/other`],
    [`d/${id}/up/status`],
    // Nobody shares here: a granted shared subscription would never be served.
    [`$share/group/d/${id}/down/+`]
  ])('answers a subscription to %s with 128, then closes', async (filter) => {
    const board = await rig.board(id)
    board.send(subscribePacket(filter))
    const heard = await board.closed
    const answers = heard.flatMap((one) => (one.cmd === 'suback' ? [one.granted] : []))
    expect(answers).toEqual([[0], [128]])
    await expect.poll(() => rig.hook.refusals.some(({ topic }) => topic === filter)).toBe(true)
  })

  it("answers the api with 128, too, when it requests a shared subscription to boards' messages", async () => {
    const one = await rig.connect({ clientId: 'api-sharing', username: 'api' })
    one.send(subscribePacket('$share/batti/d/+/up/+'))
    expect((await one.next('suback')).granted).toEqual([128])
    await one.closed
  })

  it('answers each filter, and delivers nothing for a subscription that was partly denied', async () => {
    const board = await rig.connect({ clientId: `dev-${id}` })
    board.send(subscribePacket(`d/${id}/down/+`, `d/${victimId}/down/+`))
    expect((await board.next('suback')).granted).toEqual([0, 128])
    api.send(publishPacket(downTopic(victimId, 'ack'), 'secret'))
    await expect.poll(() => payloadsOf(victim)).toContain('secret')
    expect((await board.closed).filter(({ cmd }) => cmd === 'publish')).toEqual([])
  })

  it('refuses a subscription at QoS 2', async () => {
    const board = await rig.connect({ clientId: `dev-${id}` })
    board.send({ cmd: 'subscribe', messageId: 9, subscriptions: [{ topic: `d/${id}/down/+`, qos: 2 }] })
    expect((await board.next('suback')).granted).toEqual([128])
    await board.closed
  })

  it('ends a subscription at UNSUBSCRIBE', async () => {
    const board = await rig.board(id)
    board.send({ cmd: 'unsubscribe', messageId: 4, unsubscriptions: [`d/${id}/down/+`] })
    await board.next('unsuback')
    api.send(publishPacket(downTopic(id, 'ack')))
    api.send(publishPacket(downTopic(victimId, 'ack'), 'after'))
    await expect.poll(() => payloadsOf(victim)).toContain('after')
    await board.ping()
    expect(payloadsOf(board)).toEqual([])
    board.socket.destroy()
  })
})

/** Packets that mqtt-packet refuses to write. */
function rawPublish(topic: string, payload: string): Buffer {
  const length = 2 + topic.length + payload.length
  return Buffer.concat([Buffer.from([0x30, length, 0, topic.length]), Buffer.from(topic + payload)])
}
