import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDeviceId, startRig, type Rig } from '../test/rig.ts'

describe('two boards with one credential', () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig()
  })
  afterAll(() => rig.stop())

  it('take over from each other five times, then both must wait, and the api is told once', async () => {
    const id = newDeviceId()
    const bystander = await rig.board(newDeviceId())
    let current = await rig.board(id)
    for (let turn = 0; turn < 5; turn += 1) {
      const next = await rig.board(id)
      await current.closed
      current = next
    }
    expect(await rig.connackOf({ clientId: `dev-${id}` })).toBe(3)
    await current.closed
    const asked = rig.hook.asked.length
    expect(await rig.connackOf({ clientId: `dev-${id}` })).toBe(3)
    expect(rig.hook.asked.length).toBe(asked)
    const received = () => rig.hook.refusals.filter(({ username }) => username === id)
    await expect
      .poll(received)
      .toContainEqual(expect.objectContaining({ reason: 'quarantine', topic: 'CONNECT', attempts: 1 }))
    await expect.poll(received).toContainEqual(expect.objectContaining({ reason: 'quarantined', topic: 'CONNECT' }))
    expect(received().filter(({ reason }) => reason === 'quarantine')).toHaveLength(1)
    expect(bystander.isOpen()).toBe(true)
  })

  it('that connect one after the other are not reported', async () => {
    const id = newDeviceId()
    for (let turn = 0; turn < 8; turn += 1) {
      const board = await rig.board(id)
      board.socket.destroy()
      await expect.poll(async () => (await rig.management(`/api/v5/clients/dev-${id}`)).status).toBe(404)
    }
    expect(await rig.connackOf({ clientId: `dev-${id}` })).toBe(0)
  })
})
