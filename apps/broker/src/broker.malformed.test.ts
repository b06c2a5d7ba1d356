import { downFilter, upTopic } from '@batti/contracts'
import mqttPacket, { type Packet } from 'mqtt-packet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishPacket, subscribePacket } from '../test/raw-client.ts'
import { newDeviceId, startRig, type Rig } from '../test/rig.ts'

/** A SUBSCRIBE or UNSUBSCRIBE with a packet id and no topics. */
const empty = (header: number): Buffer => Buffer.from([header, 2, 0, 7])

/** The packet with 0 in place of its packet id, which is at byte `at`. */
function withoutId(packet: Buffer, at: number): Buffer {
  packet.writeUInt16BE(0, at)
  return packet
}

describe('a packet that MQTT 3.1.1 forbids', () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig()
  })
  afterAll(() => rig.stop())

  it.each<[string, (id: string) => Buffer]>([
    ['a SUBSCRIBE with packet id 0', (id) => withoutId(mqttPacket.generate(subscribePacket(downFilter(id))), 2)],
    [
      'an UNSUBSCRIBE with packet id 0',
      (id) => withoutId(mqttPacket.generate({ cmd: 'unsubscribe', messageId: 7, unsubscriptions: [downFilter(id)] }), 2)
    ],
    [
      'a PUBLISH at QoS 1 with packet id 0',
      (id) => {
        const topic = upTopic(id, 'status')
        return withoutId(mqttPacket.generate(publishPacket(topic, '{}', 1)), 4 + topic.length)
      }
    ],
    ['an UNSUBSCRIBE without a topic', () => empty(0xa2)],
    ['a SUBSCRIBE without a topic', () => empty(0x82)]
  ])('closes the connection: %s', async (_what, packet) => {
    const id = newDeviceId()
    const board = await rig.board(id)
    const connected = board.heard.length
    board.send(packet(id))
    // Answered if the packet was accepted, which must not happen.
    board.send({ cmd: 'pingreq' })
    expect((await board.closed).slice(connected)).toEqual([])
  })

  it.each([
    ['a SUBSCRIBE', 'suback'],
    ['an UNSUBSCRIBE', 'unsuback']
  ] as const)(
    'is told from %s of 32 topics, which is answered; one of 33 closes the connection',
    async (_what, answer) => {
      const id = newDeviceId()
      const board = await rig.board(id)
      const ofTopics = (count: number): Packet => {
        const topics = Array.from({ length: count }, () => downFilter(id))
        return answer === 'suback'
          ? subscribePacket(...topics)
          : { cmd: 'unsubscribe', messageId: 7, unsubscriptions: topics }
      }
      const answered = () => board.heard.filter(({ cmd }) => cmd === answer).length
      const before = answered()
      board.send(ofTopics(32))
      await expect.poll(answered).toBe(before + 1)
      board.send(ofTopics(33))
      await board.closed
      expect(answered()).toBe(before + 1)
    }
  )

  it('is detected however it is split, also behind a valid one', async () => {
    const id = newDeviceId()
    const board = await rig.board(id)
    const ping = mqttPacket.generate({ cmd: 'pingreq' })
    for (const byte of ping) board.send(Buffer.from([byte]))
    await board.next('pingresp')
    for (const byte of Buffer.concat([ping, empty(0xa2), ping])) board.send(Buffer.from([byte]))
    expect((await board.closed).filter(({ cmd }) => cmd === 'pingresp').length).toBeLessThan(3)
  })
})
