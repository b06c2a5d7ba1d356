import { downTopic, upTopic } from '@batti/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectPacket, publishPacket, type RawClient } from '../test/raw-client.ts'
import { newDeviceId, startRig, type Rig } from '../test/rig.ts'

const will = (id: string, payload: string) => ({
  will: { topic: upTopic(id, 'status'), payload: Buffer.from(payload), qos: 0 as const, retain: false }
})
const payloads = (api: RawClient, id: string): string[] =>
  api.heard.flatMap((one) =>
    one.cmd === 'publish' && one.topic === upTopic(id, 'status') ? [one.payload.toString()] : []
  )

describe('last wills on the composed broker', () => {
  let rig: Rig
  let api: RawClient
  beforeAll(async () => {
    rig = await startRig({ limits: { freeTakeovers: 100 } })
    api = await rig.api()
  })
  afterAll(() => rig.stop())

  it('are published when the connection of a board is lost', async () => {
    const id = newDeviceId()
    const board = await rig.board(id, will(id, 'lost'))
    board.socket.destroy()
    await expect.poll(() => payloads(api, id)).toEqual(['lost'])
  })

  it('are published when a board is closed for misbehaviour, and when its credential is revoked', async () => {
    const id = newDeviceId()
    const rude = await rig.board(id, will(id, 'rude'))
    rude.send(publishPacket(downTopic(id, 'ack')))
    await expect.poll(() => payloads(api, id)).toEqual(['rude'])
    const revoked = await rig.board(id, will(id, 'revoked'))
    await rig.management(`/api/v5/clients/dev-${id}`, { method: 'DELETE' })
    await revoked.closed
    await expect.poll(() => payloads(api, id)).toEqual(['rude', 'revoked'])
  })

  it('are discarded when a board disconnects cleanly', async () => {
    const id = newDeviceId()
    const board = await rig.board(id, will(id, 'never'))
    board.send({ cmd: 'disconnect' })
    await board.closed
    const next = await rig.board(id, will(id, 'next'))
    next.socket.destroy()
    await expect.poll(() => payloads(api, id)).toEqual(['next'])
  })

  it('of an old connection are not published when the same board reconnects; those of the new one are', async () => {
    const id = newDeviceId()
    const first = await rig.board(id, will(id, 'offline 1'))
    first.send(publishPacket(upTopic(id, 'status'), 'online 1'))
    await expect.poll(() => payloads(api, id)).toEqual(['online 1'])
    const second = await rig.board(id, will(id, 'offline 2'))
    await first.closed
    second.send(publishPacket(upTopic(id, 'status'), 'online 2'))
    await expect.poll(() => payloads(api, id)).toContain('online 2')
    second.socket.destroy()
    await expect.poll(() => payloads(api, id)).toEqual(['online 1', 'online 2', 'offline 2'])
  })

  it('are right after many reconnects of one board', async () => {
    const id = newDeviceId()
    const all = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const client = await rig.open()
        if (index % 3 === 0) setImmediate(() => client.socket.destroy())
        client.send(connectPacket({ clientId: `dev-${id}`, ...will(id, `will ${index}`) }))
        return client
      })
    )
    // Of two CONNECTs the later one stays; all of these are handled before the last one comes.
    await Promise.all(all.map((client) => Promise.race([client.next('connack').catch(() => null), client.closed])))
    await expect
      .poll(async () => (await rig.management('/metrics')).text())
      .toMatch(/^batti_broker_pending_connections 0$/m)
    const last = await rig.board(id, will(id, 'last'))
    for (const client of all) await client.closed
    expect(last.isOpen()).toBe(true)
    const listed: unknown = await (await rig.management(`/api/v5/clients?clientid=dev-${id}`)).json()
    expect(listed).toMatchObject({ meta: { count: 1 } })
    last.socket.destroy()
    await expect.poll(() => payloads(api, id).at(-1)).toBe('last')
    await expect.poll(async () => (await rig.management(`/api/v5/clients/dev-${id}`)).status).toBe(404)
  })
})

describe('stopping the broker', () => {
  it('reports no home offline, and closes every connection', async () => {
    const rig = await startRig()
    const api = await rig.api()
    const ids = Array.from({ length: 20 }, newDeviceId)
    const boards = await Promise.all(ids.map((id) => rig.board(id, will(id, 'offline'))))
    const pending = await rig.open()
    await rig.stop()
    await Promise.all([...boards, api, pending].map(({ closed }) => closed))
    expect(ids.flatMap((id) => payloads(api, id))).toEqual([])
  })
})
