import type { Client, PublishPacket } from 'aedes'
import { PassThrough } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { boardRules, newDeviceId } from '../../test/rig.ts'
import { compileAcl } from './authorize.ts'
import { BoardStream } from './board-stream.ts'
import { createTally, type Tally } from '../metrics.ts'
import { createMqttRules } from './mqtt-rules.ts'
import type { Refusal } from '../hook/refusals.ts'
import type { Session } from './sessions.ts'

const id = newDeviceId()
const publish = (topic: string): PublishPacket => ({
  cmd: 'publish',
  topic,
  payload: '',
  qos: 0,
  retain: false,
  dup: false
})

describe("aedes' hooks", () => {
  let stopping: boolean
  let noted: Refusal[]
  let tally: Tally
  let rules: ReturnType<typeof createMqttRules>
  let session: Session
  let client: Client

  function connect(): { session: Session; client: Client } {
    const stream = new BoardStream(new PassThrough(), {
      maxPacketBytes: 100,
      drainTimeoutMs: 1000,
      maxBacklogBytes: 1000,
      budget: null,
      onPackets: () => {}
    })
    const made: Session = {
      kind: 'board',
      clientId: `dev-${id}`,
      username: id,
      peerhost: '192.0.2.1',
      keepaliveS: 60,
      acl: compileAcl(boardRules(id)),
      filters: new Set(),
      stream,
      will: publish(`d/${id}/up/status`),
      connectedAt: 0,
      expiresAt: null,
      successor: null,
      expiry: null
    }
    stream.session = made
    return { session: made, client: { conn: stream } as unknown as Client }
  }

  beforeEach(() => {
    stopping = false
    noted = []
    tally = createTally()
    rules = createMqttRules({
      refusals: { note: (refusal) => noted.push(refusal), stop: () => {} },
      tally,
      stopping: () => stopping
    })
    ;({ session, client } = connect())
  })
  const mayPublish = (packet: PublishPacket, by: Client | null = client): boolean => {
    let outcome: Error | null | undefined
    rules.authorizePublish(by, packet, (error) => (outcome = error))
    expect(outcome).toBeDefined()
    return outcome === null
  }
  const willPasses = () => mayPublish(session.will as PublishPacket)

  it('deliver nothing that the rules do not name, even with a subscription that should not exist', () => {
    expect(rules.authorizeForward(client, publish(`d/${id}/down/ack`))).not.toBeNull()
    expect(rules.authorizeForward(client, publish(`d/${newDeviceId()}/down/ack`))).toBeNull()
    expect(rules.authorizeForward(client, publish('$SYS/x/new/clients'))).toBeNull()
    expect(tally.delivered).toBe(1)
  })

  it('allow nothing without a session, not even to aedes itself', () => {
    const stranger = { conn: new PassThrough() } as unknown as Client
    for (const by of [null, stranger]) expect(mayPublish(publish(`d/${id}/up/status`), by)).toBe(false)
    expect(rules.authorizeForward(stranger, publish(`d/${id}/down/ack`))).toBeNull()
    let outcome: Error | null = null
    rules.authorizeSubscribe(stranger, { topic: '#', qos: 0 }, (error) => (outcome = error))
    expect(outcome).toBeInstanceOf(Error)
  })

  it('refuse a subscription at QoS 2 for that reason', () => {
    const answer: unknown[] = []
    rules.authorizeSubscribe(client, { topic: `d/${id}/down/+`, qos: 2 }, (...given) => answer.push(...given))
    expect(answer).toEqual([null, null])
    expect(noted.map(({ reason }) => reason)).toEqual(['subscribe-qos-2'])
  })

  it('publish a will, but not while the broker stops', () => {
    expect(willPasses()).toBe(true)
    stopping = true
    expect(willPasses()).toBe(false)
  })

  it('hold a will back while its successor is connected, and publish it if that ended before it took over', () => {
    const successor = connect().session
    session.successor = successor
    expect(willPasses()).toBe(false)
    successor.stream.destroy()
    expect(willPasses()).toBe(true)
    expect(noted).toEqual([])
  })

  it('report only the first refusal of a connection, which ends by it, and count all', () => {
    const topics = Array.from({ length: 40 }, (_, index) => `${index}`)
    for (const topic of topics) rules.authorizeSubscribe(client, { topic, qos: 1 }, () => {})
    for (const topic of topics) expect(mayPublish(publish(topic))).toBe(false)
    expect(mayPublish(publish('another connection'), connect().client)).toBe(false)
    expect(noted.map(({ topic }) => topic)).toEqual(['0', 'another connection'])
    expect(tally.refused).toEqual(
      new Map([
        ['subscribe-denied', 39],
        ['publish-denied', 40]
      ])
    )
  })
})
