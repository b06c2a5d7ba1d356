import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boardRules, goodHook, newDeviceId, startRig, type Rig } from '../test/rig.ts'

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

  it('must wait also where the second was being checked when the first began the quarantine', async () => {
    const id = newDeviceId()
    for (let turn = 0; turn <= 5; turn += 1) await rig.board(id)
    const answers: (() => void)[] = []
    rig.hook.answer(async () => {
      await new Promise<void>((resolve) => answers.push(resolve))
      return { body: { result: 'allow', acl: boardRules(id) } }
    })
    const codes = [1, 2].map(() => rig.connackOf({ clientId: `dev-${id}` }))
    await expect.poll(() => answers.length).toBe(2)
    rig.hook.answer(goodHook)
    answers[0]?.()
    await Promise.race(codes)
    answers[1]?.()
    expect(await Promise.all(codes)).toEqual([3, 3])
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
