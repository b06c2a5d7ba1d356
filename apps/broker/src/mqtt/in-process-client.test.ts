import { allUpFilter, downTopic, upTopic } from '@batti/contracts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { publishPacket } from '../../test/raw-client.ts'
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
