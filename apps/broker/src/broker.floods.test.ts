import { downTopic, upTopic } from '@batti/contracts'
import { createFakeClock } from '@batti/kit/testing'
import { performance } from 'node:perf_hooks'
import { generate } from 'mqtt-packet'
import { describe, expect, it } from 'vitest'
import { connectPacket, openRaw, publishPacket } from '../test/raw-client.ts'
import { newDeviceId, startRig } from '../test/rig.ts'

describe('packets that are too long', () => {
  it('close the connection when 256 MB are announced, before and after CONNECT, and affect no other client', async () => {
    const rig = await startRig()
    const bystander = await rig.board(newDeviceId())
    const announced = Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f])
    const strangers = await Promise.all(Array.from({ length: 20 }, () => rig.open()))
    for (const stranger of strangers) stranger.send(Buffer.concat([announced, Buffer.alloc(8000)]))
    const board = await rig.board(newDeviceId())
    board.send(Buffer.from([0x30, 0x81, 0x80, 0x01]))
    await Promise.all([...strangers, board].map(({ closed }) => closed))
    await bystander.ping()
    expect(bystander.isOpen()).toBe(true)
    await rig.stop()
  })

  it('are limited to 16 KiB: one byte less passes, in any number of pieces', async () => {
    const rig = await startRig()
    const api = await rig.api()
    const id = newDeviceId()
    const board = await rig.board(id)
    const topic = upTopic(id, 'status')
    // Below the limit with the type byte, two length bytes, and the length of the topic.
    const room = 16 * 1024 - 5 - topic.length
    const bytes = generate(publishPacket(topic, 'x'.repeat(room)))
    for (let at = 0; at < bytes.length; at += 4096) {
      board.send(bytes.subarray(at, at + 4096))
      board.send(Buffer.alloc(0))
    }
    expect((await api.next('publish')).payload.length).toBe(room)
    board.send(publishPacket(topic, 'x'.repeat(room + 1)))
    await board.closed
    await rig.stop()
  })
})

describe('a board that sends too fast', () => {
  it('is slowed down, loses nothing, and delays nobody', async () => {
    const clock = createFakeClock()
    const rig = await startRig({ clock, config: { packetsPerSecond: 100, packetsBurst: 50 } })
    const api = await rig.api()
    const fast = newDeviceId()
    const calm = newDeviceId()
    const fastBoard = await rig.board(fast)
    const calmBoard = await rig.board(calm)
    const from = (id: string) =>
      api.heard.flatMap((one) =>
        one.cmd === 'publish' && one.topic === upTopic(id, 'status') ? [one.payload.toString()] : []
      )
    const sent = Array.from({ length: 148 }, (_, index) => String(index))
    for (const word of sent) fastBoard.send(publishPacket(upTopic(fast, 'status'), word))
    // CONNECT and SUBSCRIBE were two of the burst.
    await expect.poll(() => from(fast)).toEqual(sent.slice(0, 48))
    calmBoard.send(publishPacket(upTopic(calm, 'status'), 'calm'))
    await expect.poll(() => from(calm)).toEqual(['calm'])
    expect(from(fast)).toHaveLength(48)
    clock.advance(500)
    await expect.poll(() => from(fast)).toEqual(sent.slice(0, 98))
    clock.advance(500)
    await expect.poll(() => from(fast)).toEqual(sent)
    await rig.stop()
  })

  it('is unlike a home: 100 reports at once pass at once, and the api is never slowed down', async () => {
    const rig = await startRig({ config: { packetsPerSecond: 1, packetsBurst: 120 } })
    const api = await rig.api()
    const id = newDeviceId()
    const board = await rig.board(id)
    for (let index = 0; index < 100; index += 1) board.send(publishPacket(upTopic(id, 'status'), String(index)))
    await expect.poll(() => api.heard.filter(({ cmd }) => cmd === 'publish').length).toBe(100)
    for (let index = 0; index < 1000; index += 1) api.send(publishPacket(downTopic(id, 'ack'), String(index)))
    await expect.poll(() => board.heard.filter(({ cmd }) => cmd === 'publish').length).toBe(1000)
    await rig.stop()
  })
})

describe('a board that stops reading', () => {
  it.each([
    ['holds up neither the api nor another board', 600_000, 200],
    ['is dropped after the drain time', 1000, 404]
  ])('%s', async (_what, drainTimeoutMs, found) => {
    const rig = await startRig({ limits: { drainTimeoutMs, boardBacklogBytes: 1024 * 1024 * 1024 } })
    const api = await rig.api()
    const frozenId = newDeviceId()
    const wellId = newDeviceId()
    const frozen = await rig.board(frozenId)
    const well = await rig.board(wellId)
    frozen.socket.pause()
    const big = 'x'.repeat(15_000)
    for (let index = 0; index < 1200; index += 1) api.send(publishPacket(downTopic(frozenId, 'config-update'), big))
    for (let index = 0; index < 200; index += 1)
      api.send(publishPacket(downTopic(wellId, 'switch-update'), String(index)))
    await expect.poll(() => well.heard.filter(({ cmd }) => cmd === 'publish').length).toBe(200)
    const listed = async () => (await rig.management(`/api/v5/clients/dev-${frozenId}`)).status
    await expect.poll(listed).toBe(found)
    expect([api.isOpen(), well.isOpen()]).toEqual([true, true])
    frozen.socket.destroy()
    await rig.stop()
  })

  it('is dropped at once when too much is buffered for it', async () => {
    const rig = await startRig({ limits: { drainTimeoutMs: 600_000, boardBacklogBytes: 100_000 } })
    const api = await rig.api()
    const id = newDeviceId()
    const frozen = await rig.board(id)
    frozen.socket.pause()
    const big = 'x'.repeat(15_000)
    await expect
      .poll(async () => {
        for (let index = 0; index < 100; index += 1) api.send(publishPacket(downTopic(id, 'config-update'), big))
        return (await rig.management(`/api/v5/clients/dev-${id}`)).status
      })
      .toBe(404)
    frozen.socket.destroy()
    await rig.stop()
  })
})

describe('password guesses', () => {
  it('are delayed after a few, still answered with code 5, and never block the right password', async () => {
    const rig = await startRig()
    const id = newDeviceId()
    const guess = () => rig.connackOf({ clientId: `dev-${id}`, password: Buffer.from('guess') })
    for (let index = 0; index < 4; index += 1) expect(await guess()).toBe(5)
    const asked = rig.hook.asked.length
    const held = await openRaw(rig.broker.mqttPort)
    const began = performance.now()
    held.send(connectPacket({ clientId: `dev-${id}`, password: Buffer.from('guess') }))
    expect((await held.next('connack')).returnCode).toBe(5)
    // Delayed by half a second by now (a lower bound, which holds on any machine) before the hook is asked.
    expect(performance.now() - began).toBeGreaterThan(400)
    expect(rig.hook.asked.length).toBe(asked + 1)
    expect(await rig.connackOf({ clientId: `dev-${id}` })).toBe(0)
    await rig.stop()
  })
})
