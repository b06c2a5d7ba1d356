import { allUpFilter, downFilter, downTopic, peerTopic, upTopic } from '@batti/contracts'
import { generate } from 'mqtt-packet'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { publishPacket, subscribePacket } from '../../test/raw-client.ts'
import { newDeviceId, startRig, type Rig } from '../../test/rig.ts'

describe("a client in the broker's own process", () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig()
  })
  afterAll(() => rig.stop())

  function join() {
    const heard: [string, string][] = []
    const inside = rig.broker.join(allUpFilter, (topic, payload) => heard.push([topic, payload.toString()]))
    onTestFinished(() => inside.leave())
    return { inside, heard }
  }

  it('receives messages of boards in order, and a will after them', async () => {
    const { heard } = join()
    const id = newDeviceId()
    const topic = upTopic(id, 'status')
    const board = await rig.board(id, { will: { topic, payload: Buffer.from('lost'), qos: 0, retain: false } })
    for (const word of ['one', 'two', 'three']) board.send(publishPacket(topic, word))
    await expect.poll(() => heard).toHaveLength(3)
    board.socket.destroy()
    await expect.poll(() => heard.map(([, word]) => word)).toEqual(['one', 'two', 'three', 'lost'])
    expect(new Set(heard.map(([from]) => from))).toEqual(new Set([topic]))
  })

  it('reaches one board, and receives none of its own messages', async () => {
    const { inside, heard } = join()
    const [id, other] = [newDeviceId(), newDeviceId()]
    const [board, neighbour] = [await rig.board(id), await rig.board(other)]
    inside.publish(downTopic(id, 'ack'), '{"seq":1}')
    inside.publish(downTopic(other, 'ack'), '{"seq":2}')
    const words = (client: typeof board): string[] =>
      client.heard.flatMap((one) => (one.cmd === 'publish' ? [one.payload.toString()] : []))
    await expect.poll(() => [words(board), words(neighbour)]).toEqual([['{"seq":1}'], ['{"seq":2}']])
    expect(heard).toEqual([])
  })

  it('reaches a board by the topics that it is subscribed to, and no longer after it has unsubscribed', async () => {
    const { inside } = join()
    const id = newDeviceId()
    const [ack, command] = [downTopic(id, 'ack'), downTopic(id, 'switch-update')]
    const board = await rig.connect({ clientId: `dev-${id}` })
    const words = async (): Promise<string[]> => {
      await board.ping()
      return board.heard.flatMap((one) => (one.cmd === 'publish' ? [`${one.topic} ${one.payload.toString()}`] : []))
    }
    inside.publish(ack, 'too early')
    await rig.subscribed(board, ack)
    inside.publish(ack, 'one')
    inside.publish(command, 'of another topic')
    expect(await words()).toEqual([`${ack} one`])
    await rig.subscribed(board, downFilter(id))
    inside.publish(ack, 'once, by two filters')
    inside.publish(command, 'two')
    expect(await words()).toEqual([`${ack} one`, `${ack} once, by two filters`, `${command} two`])
    board.send({ cmd: 'unsubscribe', messageId: 4, unsubscriptions: [downFilter(id), ack] })
    await board.next('unsuback')
    inside.publish(ack, 'too late')
    expect(await words()).toHaveLength(3)
  })

  it('drops what is for a board that is not connected', async () => {
    const { inside } = join()
    const id = newDeviceId()
    inside.publish(downTopic(id, 'ack'), 'to nobody')
    const board = await rig.board(id)
    await board.ping()
    expect(board.heard.filter(({ cmd }) => cmd === 'publish')).toEqual([])
  })

  it('answers a board that subscribes and reports in one breath', async () => {
    const id = newDeviceId()
    const inside = rig.broker.join(upTopic(id, 'status'), () => inside.publish(downTopic(id, 'ack'), 'heard'))
    onTestFinished(() => inside.leave())
    const board = await rig.connect({ clientId: `dev-${id}` })
    const packets = [subscribePacket(downFilter(id)), publishPacket(upTopic(id, 'status'))]
    board.send(Buffer.concat(packets.map((packet) => generate(packet))))
    expect(await board.next('publish')).toMatchObject({ topic: downTopic(id, 'ack') })
  })

  it('is counted in what was delivered', async () => {
    const { inside } = join()
    const id = newDeviceId()
    const board = await rig.board(id)
    const delivered = async (): Promise<number> =>
      Number(/^batti_broker_deliveries_total (\d+)$/m.exec(await (await rig.management('/metrics')).text())?.[1])
    const before = await delivered()
    inside.publish(downTopic(id, 'ack'), '{}')
    await board.next('publish')
    expect((await delivered()) - before).toBe(1)
  })

  it('reaches others by topics that belong to no board', async () => {
    const { inside } = join()
    const topic = peerTopic('api-2')
    const heard: string[] = []
    const peer = rig.broker.join(topic, (_topic, payload) => heard.push(payload.toString()))
    onTestFinished(() => peer.leave())
    inside.publish(topic, 'news')
    await expect.poll(() => heard).toEqual(['news'])
  })

  it('receives nothing more once it has left, while others continue', async () => {
    const [gone, stays] = [join(), join()]
    gone.inside.leave()
    const id = newDeviceId()
    const board = await rig.board(id)
    board.send(publishPacket(upTopic(id, 'status'), 'here'))
    await expect.poll(() => stays.heard).toEqual([[upTopic(id, 'status'), 'here']])
    expect(gone.heard).toEqual([])
  })
})
