import { brokerClientList } from '@batti/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectPacket } from '../test/raw-client.ts'
import { boardRules, goodHook, newDeviceId, startRig, type Rig } from '../test/rig.ts'

describe('the management API', () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig()
  })
  afterAll(() => rig.stop())
  const without = { headers: { authorization: '' } }

  it.each(['', 'Bearer wrong', 'Basic YTpi'])('refuses the authorization "%s"', async (authorization) => {
    for (const [path, method] of [
      ['/api/v5/clients', 'GET'],
      ['/api/v5/clients/dev-x', 'DELETE'],
      ['/nothing', 'GET']
    ] as const) {
      expect((await rig.management(path, { method, headers: { authorization } })).status).toBe(401)
    }
  })

  it('lists the connected clients, in pages and by address', async () => {
    const ids = [newDeviceId(), newDeviceId(), newDeviceId()]
    const boards = await Promise.all(ids.map((id) => rig.board(id, { keepalive: 30 })))
    const all = brokerClientList.parse(await (await rig.management('/api/v5/clients?limit=1000')).json())
    expect(all.meta).toEqual({ count: 3, page: 1, limit: 1000 })
    expect(new Set(all.data.map(({ username }) => username))).toEqual(new Set(ids))
    expect(all.data[0]).toMatchObject({ ip_address: '127.0.0.1', connected: true, keepalive: 30 })
    const second = brokerClientList.parse(await (await rig.management('/api/v5/clients?limit=2&page=2')).json())
    expect(second.data).toHaveLength(1)
    expect(await (await rig.management('/api/v5/clients?ip_address=192.0.2.1')).json()).toMatchObject({
      meta: { count: 0 }
    })
    expect(await (await rig.management(`/api/v5/clients?username=${ids[1]}`)).json()).toMatchObject({
      data: [{ clientid: `dev-${ids[1]}` }]
    })
    for (const board of boards) board.socket.destroy()
    await expect.poll(async () => (await rig.management(`/api/v5/clients/dev-${ids[0]}`)).status).toBe(404)
  })

  it('closes a client, which cannot reconnect once its credential is revoked', async () => {
    const id = newDeviceId()
    const board = await rig.board(id)
    const path = `/api/v5/clients/dev-${id}`
    expect((await rig.management(path, { method: 'DELETE' })).status).toBe(204)
    await board.closed
    rig.hook.answer(() => ({ body: { result: 'deny' } }))
    expect(await rig.connackOf({ clientId: `dev-${id}` })).toBe(5)
    rig.hook.answer(goodHook)
    await expect.poll(async () => (await rig.management(path, { method: 'DELETE' })).status).toBe(404)
  })

  it('refuses a connection that the hook had just allowed when its client is closed', async () => {
    const id = newDeviceId()
    const { promise: revoked, resolve: release } = Promise.withResolvers<void>()
    const slow = await startRig({
      behave: async (request) => {
        await revoked
        return { body: { result: 'allow', acl: boardRules(request.username ?? '') } }
      }
    })
    const client = await slow.open()
    client.send(connectPacket({ clientId: `dev-${id}` }))
    await expect.poll(() => slow.hook.asked.length).toBe(1)
    expect((await slow.management(`/api/v5/clients/dev-${id}`, { method: 'DELETE' })).status).toBe(204)
    release()
    expect((await client.next('connack')).returnCode).toBe(5)
    await slow.stop()
  })

  it('shows health and metrics without authorization', async () => {
    const board = await rig.board(newDeviceId())
    board.send({ cmd: 'subscribe', messageId: 5, subscriptions: [{ topic: '#', qos: 0 }] })
    await board.closed
    expect(await (await rig.management('/healthz', without)).json()).toEqual({ status: 'ok' })
    const metrics = async () => (await rig.management('/metrics', without)).text()
    await expect.poll(metrics).toMatch(/^batti_broker_clients 0$/m)
    const text = await metrics()
    expect(text).toMatch(/^batti_broker_refused_total\{reason="subscribe-denied"\} 1$/m)
    expect(text).toMatch(/^batti_broker_auth_total\{result="allow"\} [1-9]/m)
    expect(text).toMatch(/^batti_broker_handshakes_total\{result="ok"\} [1-9]/m)
    expect(text).toMatch(/^batti_broker_packets_in_total [1-9]/m)
    expect(text).toMatch(/^batti_broker_certificate_expires_at_seconds \d+$/m)
  })

  it.each([
    ['GET', '/api/v5/elsewhere', 404],
    ['POST', '/api/v5/clients', 405],
    ['PUT', '/api/v5/clients/dev-x', 405],
    ['DELETE', '/api/v5/clients/__proto__', 404],
    ['DELETE', '/api/v5/clients/%E0%A4%A', 404]
  ])('answers %s %s with %i', async (method, path, status) => {
    expect((await rig.management(path, { method })).status).toBe(status)
  })
})
