import type { SwitchUpdatePayload } from '@batti/contracts'
import { createFakeClock } from '@batti/kit/testing'
import { describe, expect, it } from 'vitest'
import { aLiveDevice } from '../../testing/live-device.ts'
import { createCommands } from './commands.ts'
import type { EndedCommand, NewCommand } from '../registry/device-store.ts'

const cause = { by: 'user', userId: '65b000000000000000000001', userName: 'Sita', from: 'web' } as const

function setUp(options: { publish?: () => void } = {}) {
  const clock = createFakeClock(1_000_000)
  const published: SwitchUpdatePayload[] = []
  const stored: (NewCommand | EndedCommand)[] = []
  const commands = createCommands({
    clock,
    store: { addCommand: (change) => void stored.push(change), stored: () => Promise.resolve() },
    publish: (_deviceId, command) => {
      options.publish?.()
      published.push(command)
    },
    idPrefix: 'x-'
  })
  return { commands, published, stored, advance: clock.advance, clock }
}

describe('a command', () => {
  it('contains absolute values, expires after four seconds, and is recorded', () => {
    const { commands, published, stored } = setUp()
    const sent = commands.send({ device: aLiveDevice(), set: [{ index: 1, on: true }] }, cause)
    expect(sent.expiresAt).toBe(1_004_000)
    expect(published).toEqual([{ id: sent.id, set: [{ index: 1, on: true }], expiresAt: 1_004_000 }])
    expect(stored).toMatchObject([{ kind: 'insert', row: { _id: sent.id, state: 'sent', cause } }])
  })

  it('is refused at once, and not recorded, when the board is offline', () => {
    const { commands, published, stored } = setUp()
    expect(() =>
      commands.send({ device: aLiveDevice({ isOnline: false }), set: [{ index: 0, on: true }] }, cause)
    ).toThrow(expect.objectContaining({ code: 'DEVICE_OFFLINE' }))
    expect([published, stored]).toEqual([[], []])
  })

  it('that cannot be sent is not pending', () => {
    const { commands, stored } = setUp({
      publish: () => {
        throw new Error('no link')
      }
    })
    expect(() => commands.send({ device: aLiveDevice(), set: [{ index: 0, on: true }] }, cause)).toThrow('no link')
    expect(commands.pendingCount()).toBe(0)
    expect(stored).toEqual([])
  })

  it('ends once the board reports it', async () => {
    const { commands, stored } = setUp()
    const device = aLiveDevice()
    const sent = commands.send({ device, set: [{ index: 0, on: true }] }, cause)
    commands.settle(device.id, { commandId: sent.id, result: 'applied' })
    commands.settle(device.id, { commandId: sent.id, result: 'applied' })
    await expect(sent.ended).resolves.toMatchObject({ result: 'confirmed' })
    expect(stored.filter(({ kind }) => kind === 'end')).toMatchObject([{ id: sent.id, state: 'confirmed' }])
  })

  it.each([
    ['expired', 'expired'],
    ['rejected', 'failed']
  ] as const)('that the board answers with %s ends as %s', async (result, state) => {
    const { commands } = setUp()
    const device = aLiveDevice()
    const sent = commands.send({ device, set: [{ index: 0, on: true }] }, cause)
    commands.settle(device.id, { commandId: sent.id, result, reason: 'hot' })
    await expect(sent.ended).resolves.toMatchObject({ result: state })
  })

  it('is not ended by another board that names it', async () => {
    const { commands, advance } = setUp()
    const sent = commands.send({ device: aLiveDevice(), set: [{ index: 0, on: true }] }, cause)
    commands.settle('65a000000000000000000009', { commandId: sent.id, result: 'applied' })
    expect(commands.causeOf('65a000000000000000000009', sent.id)).toBeUndefined()
    expect(commands.pendingCount()).toBe(1)
    advance(4000)
    commands.sweep()
    await expect(sent.ended).resolves.toMatchObject({ result: 'timeout' })
  })

  it('without an answer ends after four seconds, not before, and a late report still finds its cause', async () => {
    const { commands, advance } = setUp()
    const device = aLiveDevice()
    const sent = commands.send({ device, set: [{ index: 0, on: true }] }, cause)
    advance(3999)
    commands.sweep()
    expect(commands.pendingCount()).toBe(1)
    advance(1)
    commands.sweep()
    await expect(sent.ended).resolves.toMatchObject({ result: 'timeout' })
    expect(commands.causeOf(device.id, sent.id)).toEqual(cause)
  })

  it.each([-30_000, 30_000])('has its four seconds although the clock is set by %i ms meanwhile', async (ms) => {
    const { commands, clock } = setUp()
    const sent = commands.send({ device: aLiveDevice(), set: [{ index: 0, on: true }] }, cause)
    clock.step(ms)
    clock.advance(3999)
    commands.sweep()
    expect(commands.pendingCount()).toBe(1)
    clock.advance(1)
    commands.sweep()
    await expect(sent.ended).resolves.toMatchObject({ result: 'timeout' })
  })

  it('that was not answered is remembered for a minute only', () => {
    const { commands, advance } = setUp()
    const device = aLiveDevice()
    const sent = commands.send({ device, set: [{ index: 0, on: true }] }, cause)
    advance(4000)
    commands.sweep()
    advance(59_999)
    commands.sweep()
    expect(commands.causeOf(device.id, sent.id)).toEqual(cause)
    advance(1)
    commands.sweep()
    expect(commands.causeOf(device.id, sent.id)).toBeUndefined()
  })

  it.each(['applied', 'expired', 'rejected'] as const)(
    'that the board answered with %s is the cause of its further reports, until it has answered another',
    (result) => {
      const { commands } = setUp()
      const [device, other] = [aLiveDevice(), aLiveDevice({ id: '65a000000000000000000009' })]
      const [first, elsewhere, second] = [device, other, device].map((board) =>
        commands.send({ device: board, set: [{ index: 0, on: true }] }, cause)
      )
      commands.settle(device.id, { commandId: first?.id, result })
      commands.settle(other.id, { commandId: elsewhere?.id, result: 'applied' })
      expect(commands.causeOf(device.id, first?.id ?? '')).toEqual(cause)
      expect(commands.causeOf(other.id, first?.id ?? '')).toBeUndefined()
      commands.settle(device.id, { commandId: second?.id, result: 'applied' })
      expect(commands.causeOf(device.id, first?.id ?? '')).toBeUndefined()
      expect(commands.causeOf(device.id, second?.id ?? '')).toEqual(cause)
    }
  )

  it('that a board answered is forgotten with the board', () => {
    const { commands } = setUp()
    const device = aLiveDevice()
    const sent = commands.send({ device, set: [{ index: 0, on: true }] }, cause)
    commands.settle(device.id, { commandId: sent.id, result: 'applied' })
    commands.forget(device.id)
    expect(commands.causeOf(device.id, sent.id)).toBeUndefined()
  })
})
