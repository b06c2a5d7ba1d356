import { switchUpdatePayload, type ChangeCause, type SwitchUpdatePayload } from '@batti/contracts'
import { createFakeClock } from '@batti/kit/testing'
import { Types } from 'mongoose'
import { describe, expect, it, vi } from 'vitest'
import { aLiveDevice } from '../../testing/live-device.ts'
import { createCommands } from './commands.ts'
import type { EndedCommand, NewCommand } from './stored-commands.ts'

const cause = { by: 'user', userId: '65b000000000000000000001', userName: 'Sita', from: 'web' } as const

function setUp(options: { publish?: () => void } = {}) {
  const clock = createFakeClock(1_000_000)
  const published: SwitchUpdatePayload[] = []
  const stored: (NewCommand | EndedCommand)[] = []
  const heard: unknown[] = []
  const commands = createCommands({
    // As of a real clock, only the monotonic time has fractions.
    clock: { ...clock, now: () => Math.floor(clock.now()) },
    store: { addCommand: (change) => void stored.push(change), stored: () => Promise.resolve() },
    publish: (_deviceId, command) => {
      options.publish?.()
      published.push(command)
    },
    idPrefix: 'x-',
    onEnd: (...ended) => void heard.push(ended),
    onRefused: (deviceId) => void heard.push(deviceId)
  })
  return { commands, published, stored, heard, advance: clock.advance, clock }
}

describe('a command', () => {
  it('contains absolute values, expires after four seconds, and is recorded', () => {
    const { commands, published, stored } = setUp()
    const sent = commands.send({ device: aLiveDevice(), set: [{ index: 1, on: true }] }, cause)
    expect(sent.expiresAt).toBe(1_004_000)
    expect(published).toEqual([{ id: sent.id, set: [{ index: 1, on: true }], expiresAt: 1_004_000 }])
    expect(stored).toEqual([
      {
        kind: 'insert',
        row: {
          _id: sent.id,
          deviceId: new Types.ObjectId(aLiveDevice().id),
          userId: new Types.ObjectId(cause.userId),
          set: [{ index: 1, on: true }],
          cause,
          state: 'sent',
          sentAt: new Date(1_000_000),
          expiresAt: new Date(1_004_000)
        }
      }
    ])
  })

  it('that no person caused is written down without one', () => {
    const { commands, stored } = setUp()
    commands.send({ device: aLiveDevice(), set: [{ index: 1, on: true }] }, { by: 'schedule', from: 'schedule' })
    expect(stored).toMatchObject([{ row: { userId: null, cause: { by: 'schedule' } } }])
  })

  it('of a schedule says so in its id, to every api', () => {
    const scheduled = { by: 'schedule', from: 'schedule', scheduleId: '65d000000000000000000000' } as const
    const { id } = setUp().commands.send({ device: aLiveDevice(), set: [{ index: 1, on: true }] }, scheduled)
    const another = setUp().commands
    expect(another.causeOf(aLiveDevice().id, id)).toEqual(scheduled)
    expect(another.causeOf(aLiveDevice().id, 'x-1:start')).toBeUndefined()
    expect(switchUpdatePayload.shape.id.parse(id)).toBe(id)
  })

  it('is refused at once, and not recorded, when the board is offline', () => {
    const { commands, published, stored, heard } = setUp()
    expect(() =>
      commands.send({ device: aLiveDevice({ isOnline: false }), set: [{ index: 0, on: true }] }, cause)
    ).toThrow(expect.objectContaining({ code: 'DEVICE_OFFLINE' }))
    expect([published, stored, heard]).toEqual([[], [], [aLiveDevice().id]])
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
    const { commands, stored, heard, advance } = setUp()
    advance(1000)
    const device = aLiveDevice()
    const sent = commands.send({ device, set: [{ index: 0, on: true }] }, cause)
    advance(250)
    const tookMsOf = (id: string | undefined) => commands.tookMsOf(device.id, id)
    expect([sent.id, 'another', undefined].map(tookMsOf)).toEqual([250, null, null])
    commands.settle(device.id, { commandId: sent.id, result: 'applied' })
    commands.settle(device.id, { commandId: sent.id, result: 'applied' })
    await expect(sent.ended).resolves.toEqual({ result: 'confirmed', stored: expect.any(Promise) })
    expect(stored.filter(({ kind }) => kind === 'end')).toEqual([
      { kind: 'end', id: sent.id, state: 'confirmed', endedAt: new Date(1_001_250) }
    ])
    expect(heard).toEqual([[device.id, 'confirmed', 250]])
    expect(tookMsOf(sent.id)).toBeNull()
  })

  it('that is never named by a report waits on', () => {
    const { commands } = setUp()
    const device = aLiveDevice()
    commands.send({ device, set: [{ index: 0, on: true }] }, cause)
    commands.settle(device.id, { commandId: undefined, result: 'applied' })
    expect(commands.pendingCount()).toBe(1)
  })

  it.each([
    ['expired', 'hot', 'expired', undefined],
    ['rejected', 'hot', 'failed', 'hot'],
    ['rejected', undefined, 'failed', 'the board refused']
  ] as const)('that the board answers %s because of %s ends as %s: %s', async (result, said, state, reason) => {
    const { commands, stored } = setUp()
    const device = aLiveDevice()
    const sent = commands.send({ device, set: [{ index: 0, on: true }] }, cause)
    commands.settle(device.id, { commandId: sent.id, result, ...(said === undefined ? {} : { reason: said }) })
    const kept = reason === undefined ? {} : { reason }
    await expect(sent.ended).resolves.toEqual({ result: state, ...kept, stored: expect.any(Promise) })
    expect(stored.at(-1)).toEqual({ kind: 'end', id: sent.id, state, endedAt: new Date(1_000_000), ...kept })
  })

  it('that its board finds expired before its time is sent once more, for the time that it has left', async () => {
    const { commands, published, clock } = setUp()
    const device = aLiveDevice()
    const sent = commands.send({ device, set: [{ index: 0, on: true }] }, cause)
    clock.step(-60_000)
    clock.advance(999.6)
    const repeatOf = (result: 'applied' | 'expired', board = device.id) =>
      commands.repeatOf(board, { commandId: sent.id, result })
    expect([repeatOf('applied'), repeatOf('expired', '65a000000000000000000009')]).toEqual([null, null])
    const repeat = repeatOf('expired')
    expect(repeatOf('expired')).toBeNull()
    repeat?.()
    expect(published[1]).toEqual({ id: sent.id, set: [{ index: 0, on: true }], expiresAt: 943_999 })
    clock.advance(3001)
    commands.sweep()
    await expect(sent.ended).resolves.toMatchObject({ result: 'timeout' })
    repeat?.()
    expect(published).toHaveLength(2)
  })

  it('that its board finds expired after its time is not sent once more', () => {
    const { commands, advance } = setUp()
    const device = aLiveDevice()
    const sent = commands.send({ device, set: [{ index: 0, on: true }] }, cause)
    advance(4000)
    expect(commands.repeatOf(device.id, { commandId: sent.id, result: 'expired' })).toBeNull()
  })

  it('that cannot be sent once more ends with its time', () => {
    let isAway = false
    const { commands } = setUp({
      publish: () => {
        if (isAway) throw new Error('no link')
      }
    })
    const sent = commands.send({ device: aLiveDevice(), set: [{ index: 0, on: true }] }, cause)
    isAway = true
    commands.repeatOf(aLiveDevice().id, { commandId: sent.id, result: 'expired' })?.()
    expect(commands.pendingCount()).toBe(1)
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
    expect(commands.causeOf('65a000000000000000000009', sent.id)).toBeUndefined()
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

  it('is answered at once when its board is removed, and only then', async () => {
    const { commands, stored, advance } = setUp()
    const [device, other] = [aLiveDevice(), aLiveDevice({ id: '65a000000000000000000009' })]
    const late = commands.send({ device, set: [{ index: 0, on: true }] }, cause)
    const lateElsewhere = commands.send({ device: other, set: [{ index: 0, on: true }] }, cause)
    advance(4000)
    commands.sweep()
    const waiting = commands.send({ device, set: [{ index: 1, on: true }] }, cause)
    const elsewhere = commands.send({ device: other, set: [{ index: 1, on: true }] }, cause)
    commands.forget(device.id)
    await expect(waiting.ended).resolves.toMatchObject({ result: 'gone' })
    expect(stored.at(-1)).toMatchObject({ id: waiting.id, state: 'failed' })
    expect([late, waiting].map(({ id }) => commands.causeOf(device.id, id))).toEqual([undefined, undefined])
    expect([lateElsewhere, elsewhere].map(({ id }) => commands.causeOf(other.id, id))).toEqual([cause, cause])
    expect(commands.pendingCount()).toBe(1)
  })

  it('no longer says who caused it when that account is deleted, whether pending, answered or too late', () => {
    const { commands, advance } = setUp()
    const device = aLiveDevice()
    const other = { ...cause, userId: '65b000000000000000000002', userName: 'Hari' }
    const send = (by: ChangeCause = cause) => commands.send({ device, set: [{ index: 0, on: true }] }, by).id
    const late = send()
    advance(4000)
    commands.sweep()
    const answered = send()
    commands.settle(device.id, { commandId: answered, result: 'applied' })
    const [pending, ofOther] = [send(), send(other)]
    commands.forgetPerson(cause.userId)
    for (const id of [late, answered, pending])
      expect(commands.causeOf(device.id, id)).toEqual({ by: 'user', from: 'web' })
    expect(commands.causeOf(device.id, ofOther)).toEqual(other)
  })

  it('is stored with those before it, once for all who wait', async () => {
    const stored = vi.fn<() => Promise<void>>(() => Promise.resolve())
    const commands = createCommands({
      clock: createFakeClock(),
      store: { addCommand: () => {}, stored },
      publish: () => {},
      idPrefix: 'x-'
    })
    const device = aLiveDevice()
    const sent = commands.send({ device, set: [{ index: 0, on: true }] }, cause)
    commands.settle(device.id, { commandId: sent.id, result: 'applied' })
    const outcome = await sent.ended
    expect(stored).not.toHaveBeenCalled()
    expect(outcome.stored).toBe(outcome.stored)
    expect(stored).toHaveBeenCalledOnce()
  })
})
