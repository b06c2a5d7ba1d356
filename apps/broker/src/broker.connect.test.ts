import { upTopic } from '@batti/contracts'
import { until } from '@batti/kit/testing'
import mqttPacket from 'mqtt-packet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectPacket, publishPacket } from '../test/raw-client.ts'
import { boardRules, goodHook, newDeviceId, startHook, startRig, type Rig } from '../test/rig.ts'

describe('a CONNECT to the composed broker', () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig()
  })
  afterAll(() => rig.stop())

  it('is passed to the hook with its credentials and address', async () => {
    const id = newDeviceId()
    const board = await rig.board(id)
    expect(rig.hook.asked.find(({ username }) => username === id)).toEqual({
      clientid: `dev-${id}`,
      username: id,
      password: 'good',
      peerhost: '127.0.0.1'
    })
    // It no longer counts against those who have not authenticated, which are ended after a few seconds.
    expect(await (await rig.management('/metrics')).text()).toMatch(/^batti_broker_pending_connections 0$/m)
    board.socket.destroy()
  })

  it.each([
    ['nothing', ''],
    ['+', '+'],
    ['#', '#'],
    ['a/b', 'a/b'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['16,000 characters', 'x'.repeat(16_000)]
  ])(
    'with a malformed client id is refused without asking the hook, and disconnects no other client: %s',
    async (_name, clientId) => {
      const id = newDeviceId()
      const victim = await rig.board(id)
      const before = rig.hook.asked.length
      expect(await rig.connackOf({ clientId, username: id })).toBe(2)
      expect(rig.hook.asked.length).toBe(before)
      await victim.ping()
      victim.socket.destroy()
    }
  )

  it('with a client id of 60 KB is closed at once', async () => {
    expect(await rig.connackOf({ clientId: 'x'.repeat(60_000), username: 'x' })).toBeNull()
  })

  it("with the victim's client id and another credential never disconnects the victim", async () => {
    const id = newDeviceId()
    const attacker = newDeviceId()
    const victim = await rig.board(id)
    expect(await rig.connackOf({ clientId: `dev-${id}`, username: attacker })).toBe(5)
    expect(await rig.connackOf({ clientId: `dev-${id}`, username: 'api' })).toBe(5)
    expect(await rig.connackOf({ clientId: `dev-${id}`, username: id, password: Buffer.from('guess') })).toBe(5)
    await victim.ping()
    expect(victim.isOpen()).toBe(true)
    victim.socket.destroy()
  })

  it.each<[string, Parameters<typeof connectPacket>[0] extends infer P ? Partial<P> : never, number]>([
    ['MQTT 3.1', { protocolVersion: 3, protocolId: 'MQIsdp' }, 1],
    ['MQTT 5', { protocolVersion: 5 }, 1],
    ['a persistent session', { clean: false }, 5],
    ['no keepalive', { keepalive: 0 }, 5],
    ['a keepalive of 14 s', { keepalive: 14 }, 5],
    ['a keepalive of 121 s', { keepalive: 121 }, 5],
    ['a wrong password', { password: Buffer.from('bad') }, 5],
    [
      'a will to another topic',
      { will: { topic: 'd/x/up/status', payload: Buffer.from('x'), qos: 0, retain: false } },
      5
    ]
  ])('with %s gets its return code and is closed', async (_name, changes, code) => {
    const client = await rig.open()
    const id = newDeviceId()
    client.send(connectPacket({ clientId: `dev-${id}`, ...changes }))
    const heard = await client.closed
    expect(heard).toHaveLength(1)
    expect(heard[0]).toMatchObject({ cmd: 'connack', returnCode: code })
  })

  it('with an unknown protocol level is told so before it is closed', async () => {
    const client = await rig.open()
    const connect = mqttPacket.generate(connectPacket({ clientId: `dev-${newDeviceId()}` }))
    connect[8] = 6
    client.send(connect)
    expect(await client.closed).toEqual([expect.objectContaining({ cmd: 'connack', returnCode: 1 })])
  })

  it('is required as the first packet, and only once: otherwise the connection is closed', async () => {
    const early = await rig.open()
    early.send(publishPacket('a'))
    expect(await early.closed).toEqual([])
    const twice = await rig.board(newDeviceId())
    twice.send(connectPacket({ clientId: `dev-${newDeviceId()}` }))
    await twice.closed
  })

  it('reports to the api what the broker refused by itself', async () => {
    const id = newDeviceId()
    await rig.connackOf({ clientId: `dev-${id}`, keepalive: 5 })
    await expect
      .poll(() => rig.hook.refusals.find(({ username }) => username === id))
      .toEqual({
        clientid: `dev-${id}`,
        username: id,
        peerhost: '127.0.0.1',
        topic: 'CONNECT',
        reason: 'keepalive',
        attempts: 1
      })
  })

  it('of an api: several instances are let in, and the newest with one client id', async () => {
    const one = await rig.api('api-1')
    const two = await rig.api('api-2')
    const again = await rig.api('api-1')
    await one.closed
    expect([two.isOpen(), again.isOpen()]).toEqual([true, true])
    two.socket.destroy()
    again.socket.destroy()
  })

  it('is closed at the time that the hook set', async () => {
    const id = newDeviceId()
    rig.hook.answer(({ username = '' }) => ({
      body: { result: 'allow', acl: boardRules(username), expire_at: Date.now() / 1000 + 1 }
    }))
    // The longest keepalive, so that nothing else ends it. On a slow machine the second can be over before it is let in.
    const connect = () => rig.connect({ clientId: `dev-${id}`, keepalive: 120 }).catch(() => null)
    const board = await until('the board is let in', connect)
    await board.closed
    rig.hook.answer(() => ({ body: { result: 'allow', expire_at: Date.now() / 1000 - 1 } }))
    expect(await rig.connackOf({ clientId: `dev-${id}` })).toBe(5)
    rig.hook.answer(goodHook)
  })

  it('leaves nothing behind: after 200 connections of every kind, none is counted', async () => {
    const metrics = async () => await (await rig.management('/metrics')).text()
    await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const client = await rig.open()
        const ways = [
          () => client.socket.destroy(),
          () => client.send({ cmd: 'disconnect' }),
          () => client.send(Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff])),
          () => client.socket.end()
        ]
        const connects = index % 5 > 0
        if (connects) client.send(connectPacket({ clientId: `dev-${newDeviceId()}` }))
        if (connects && index % 2 > 0) await Promise.race([client.next('connack'), client.closed])
        ways[index % 4]?.()
        await client.closed
      }).map((one) => one.catch(() => {}))
    )
    await expect.poll(metrics).toMatch(/^batti_broker_clients 0$/m)
    await expect.poll(metrics).toMatch(/^batti_broker_pending_connections 0$/m)
    await expect.poll(metrics).toMatch(/^batti_broker_handshakes_waiting 0$/m)
  })

  it('without rules is allowed nothing', async () => {
    rig.hook.answer(() => ({ body: { result: 'allow' } }))
    const id = newDeviceId()
    const board = await rig.connect({ clientId: `dev-${id}` })
    board.send(publishPacket(upTopic(id, 'status')))
    expect(await board.closed).toHaveLength(1)
    rig.hook.answer(goodHook)
  })
})

describe('many CONNECTs at once', () => {
  it('are sent to the hook together, and each gets its own answer', async () => {
    const rig = await startRig({ inBatches: true, limits: { authGatherMs: 50 } })
    try {
      const boards = Array.from({ length: 20 }, () => newDeviceId())
      // Their TLS handshakes are over before: those take longer than questions are gathered.
      const clients = await Promise.all(boards.map(() => rig.open()))
      for (const [index, client] of clients.entries()) {
        const password = Buffer.from(index % 5 === 0 ? 'guess' : 'good')
        client.send(connectPacket({ clientId: `dev-${boards[index]}`, password }))
      }
      const codes = await Promise.all(clients.map(async (client) => (await client.next('connack')).returnCode))
      expect(codes).toEqual(boards.map((_, index) => (index % 5 === 0 ? 5 : 0)))
      expect(rig.hook.asked.map(({ username }) => username)).toEqual(expect.arrayContaining(boards))
      expect(Math.max(...rig.hook.batches)).toBeGreaterThan(1)
    } finally {
      await rig.stop()
    }
  })
})

describe.each([
  ['that takes one question at a time', false],
  ['that takes many', true]
])('a CONNECT while a hook %s is broken', (_kind, inBatches) => {
  it.each([
    ['answers 500', () => ({ status: 500, body: { result: 'allow' } })],
    ['answers nonsense', () => ({ body: { result: 'yes' } })],
    ['does not answer', () => null]
  ])('gets CONNACK 3 when it %s, also 40 at a time, and is accepted again afterwards', async (_name, behave) => {
    const rig = await startRig({ behave, inBatches, limits: { hookTimeoutMs: 200, hookConcurrent: 4 } })
    try {
      const codes = await Promise.all(
        Array.from({ length: 40 }, () => rig.connackOf({ clientId: `dev-${newDeviceId()}` }))
      )
      expect(new Set(codes)).toEqual(new Set([3]))
      rig.hook.answer(goodHook)
      await expect.poll(() => rig.connackOf({ clientId: `dev-${newDeviceId()}` }), { interval: 200 }).toBe(0)
    } finally {
      await rig.stop()
    }
  })

  it('gets CONNACK 3 when nothing listens there', async () => {
    const gone = await startHook()
    await gone.stop()
    const rig = await startRig({ config: { authUrls: [gone.url], authBatchUrls: inBatches ? [gone.batchUrl] : [] } })
    expect(await rig.connackOf({ clientId: `dev-${newDeviceId()}` })).toBe(3)
    await rig.stop()
  })
})
