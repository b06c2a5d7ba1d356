import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '../../../platform/people/actor.ts'
import { setsSentTo, startSchedules } from '../../../testing/schedules-by-hand.ts'
import type { AddedDevice } from '../../../testing/test-api.ts'

const { app, newHome, schedule, states, logs, runAt, find } = await startSchedules()
afterAll(() => app.stop())

let sita: Actor
let device: AddedDevice
beforeEach(async () => {
  ;({ sita, device } = await newHome())
})

/** Lets a start be missed because its board does not answer. Returns the id of its command. */
async function missStart(): Promise<string> {
  await schedule()
  device.board.isMute = true
  await runAt('2026-11-20T12:15:00Z')
  app.clock.advance(4001)
  app.link.sweep()
  await expect.poll(states).toEqual(['start missed'])
  return device.board.commands[0]?.id ?? ''
}

describe('with the board offline at the time', () => {
  test('the start is missed, logged and reported, not fired late; the end is fired at its time', async () => {
    await schedule({ label: 'Evening' })
    device.board.disconnect()
    await runAt('2026-11-20T12:15:00Z')
    expect(await states()).toEqual(['start missed'])
    expect(await logs()).toEqual([
      expect.stringMatching(/^missed schedule: Switch 2 was not turned ON at 18:00: Board \d+ was offline$/)
    ])
    expect(app.notices).toEqual([
      { userId: sita.userId, text: expect.stringContaining('Switch 2 was not turned ON at 18:00') }
    ])

    app.clock.set('2026-11-20T12:16:00Z')
    device.board.connect()
    await runAt('2026-11-20T12:17:00Z')
    expect(device.board.commands).toEqual([])

    await runAt('2026-11-20T16:15:00Z')
    await expect.poll(states).toEqual(['start missed', 'end confirmed'])
    expect(setsSentTo(device)).toEqual([[{ index: 1, on: false }]])
  })
  test('several misses are reported in one sentence', async () => {
    for (const [index, switchId] of device.switchIds.entries()) await schedule({ switchId, switchIndex: index })
    device.board.disconnect()
    await runAt('2026-11-20T12:15:00Z')
    expect(app.notices.map(({ text }) => text)).toEqual([expect.stringContaining('and 3 more schedules were missed.')])
    expect(await logs()).toHaveLength(4)
  })
  test('a board that does not answer within 4 s counts as missed', async () => {
    await missStart()
    await expect.poll(logs).toEqual([expect.stringContaining('did not respond')])
    expect(app.notices).toHaveLength(1)
  })
})

test('a board that refuses the command has missed the schedule, and the log says so', async () => {
  await schedule()
  device.board.isMute = true
  await runAt('2026-11-20T12:15:00Z')
  const commandId = device.board.commands[0]?.id ?? ''
  device.board.report({ cause: 'command', commandId, result: 'rejected', reason: 'overload', changed: [] })
  await expect.poll(states).toEqual(['start missed'])
  expect(await logs()).toEqual([expect.stringMatching(/ was not turned ON at 18:00: Board \d+ refused$/)])
  expect(app.notices).toEqual([{ userId: sita.userId, text: expect.stringMatching(/ refused\.$/) }])
})

/** It has executed the command. */
describe('a board whose answer arrives after 4 s', () => {
  const answer = (commandId: string, result: 'applied' | 'expired'): void => {
    device.board.state = [false, result === 'applied', false, false]
    device.board.report({ cause: 'command', commandId, result, changed: result === 'applied' ? [1] : [] })
  }

  test('has not missed it: one row says what it did', async () => {
    answer(await missStart(), 'applied')
    await expect.poll(states).toEqual(['start confirmed'])
    await expect.poll(logs).toEqual(['change schedule: Switch 2 turned ON'])
  })
  test('and after the 40 min in which it was cut off: neither', async () => {
    const commandId = await missStart()
    await app.settled()
    app.clock.advance(40 * 60_000)
    app.link.sweep()
    answer(commandId, 'applied')
    await expect.poll(states).toEqual(['start confirmed'])
    await expect.poll(logs).toEqual(['change schedule: Switch 2 turned ON'])
  })
  test.each([
    ['deleted', (id: string) => app.call('DELETE', `/schedules/${id}`, sita)],
    [
      'given to another board',
      async (id: string) => {
        const { id: deviceId, switchIds } = await app.device(sita)
        return app.call('PATCH', `/schedules/${id}`, sita, { deviceId, switchId: switchIds[0], switchIndex: 0 })
      }
    ]
  ])('has not missed it, although its schedule was %s since', async (_how, change) => {
    const commandId = await missStart()
    await expect.poll(logs).toHaveLength(1)
    const { data } = await app.call('GET', '/schedules', sita)
    expect((await change(data.schedules[0]._id)).success).toBe(true)
    answer(commandId, 'applied')
    await expect.poll(states).toEqual(['start confirmed'])
    await expect.poll(logs).toEqual(['change schedule: Switch 2 turned ON'])
  })
  test('has run it late if the command was sent late', async () => {
    await schedule()
    app.broker.down()
    app.clock.set('2026-11-20T12:17:00Z')
    app.broker.up()
    device.board.connect()
    device.board.isMute = true
    await runAt('2026-11-20T12:17:01Z')
    app.clock.advance(4001)
    app.link.sweep()
    await expect.poll(states).toEqual(['start missed'])
    answer(device.board.commands[0]?.id ?? '', 'applied')
    await expect.poll(states).toEqual(['start late'])
  })
  test('has missed it if the command had expired when it arrived', async () => {
    answer(await missStart(), 'expired')
    await app.settled()
    expect(await states()).toEqual(['start missed'])
    expect(await logs()).toEqual([expect.stringContaining('did not respond')])
  })
})

describe('a board whose clock is ahead, because that of the server was set back', () => {
  const answerExpired = (): void => {
    const commandId = device.board.commands.at(-1)?.id ?? ''
    device.board.report({ cause: 'command', commandId, result: 'expired', changed: [] })
  }
  async function startAnsweredExpired({ isMute }: { isMute: boolean }): Promise<void> {
    await schedule()
    device.board.isMute = true
    await runAt('2026-11-20T12:15:00Z')
    device.board.isMute = isMute
    answerExpired()
    await expect.poll(() => device.board.commands.length).toBe(2)
  }

  test('answers that the command had expired, and gets it again by the right time', async () => {
    await startAnsweredExpired({ isMute: false })
    await expect.poll(states).toEqual(['start confirmed'])
    expect(setsSentTo(device)).toEqual([[{ index: 1, on: true }], [{ index: 1, on: true }]])
    expect(await logs()).toEqual(['change schedule: Switch 2 turned ON'])
  })
  test('has missed the start if it answers the same again', async () => {
    await startAnsweredExpired({ isMute: true })
    answerExpired()
    await expect.poll(states).toEqual(['start missed'])
    await runAt('2026-11-20T12:15:04Z')
    expect(setsSentTo(device)).toHaveLength(2)
  })
})

describe('what the board ran by itself while it was disconnected', () => {
  const ran = (scheduleId: string, occurredAt: string) => {
    device.board.state = [false, true, false, false]
    device.board.report({
      cause: 'schedule',
      scheduleId: `${scheduleId}:start`,
      occurredAt: Date.parse(occurredAt),
      changed: [1]
    })
  }
  test('counts as done, is logged once at its time, and is not missed any more', async () => {
    const id = await schedule()
    device.board.disconnect()
    await runAt('2026-11-20T12:15:00Z')
    expect(await states()).toEqual(['start missed'])
    app.clock.set('2026-11-20T13:00:00Z')
    device.board.connect()
    ran(id, '2026-11-20T12:15:02Z')
    await expect.poll(states).toEqual(['start confirmed'])
    await expect.poll(logs).toEqual(['change schedule: Switch 2 turned ON'])
    const { data } = await app.call('GET', '/switch-action-logs', sita)
    expect(data.logs[0].createdAt).toBe('2026-11-20T12:15:02.000Z')
  })
  test('is neither fired nor missed if its report arrives before the server checks', async () => {
    const id = await schedule()
    app.clock.set('2026-11-20T14:15:00Z')
    ran(id, '2026-11-20T12:15:00Z')
    await expect.poll(states).toEqual(['start confirmed'])
    await runAt('2026-11-20T14:15:01Z')
    expect(await states()).toEqual(['start confirmed'])
    expect(device.board.commands).toEqual([])
    expect((await find(id)).nextRunAt).toBe('2026-11-20T16:15:00.000Z')
  })
  test('counts as done, although its schedule was deleted before the board was back', async () => {
    const id = await schedule()
    device.board.disconnect()
    await runAt('2026-11-20T12:15:00Z')
    await app.call('DELETE', `/schedules/${id}`, sita)
    app.clock.set('2026-11-20T13:00:00Z')
    device.board.connect()
    ran(id, '2026-11-20T12:15:02Z')
    await expect.poll(states).toEqual(['start confirmed'])
    await expect.poll(logs).toEqual(['change schedule: Switch 2 turned ON'])
  })
  test('is accepted only for schedules of that board', async () => {
    const other = await app.device(sita)
    const id = await schedule({}, other)
    other.board.disconnect()
    await runAt('2026-11-20T12:15:00Z')
    ran(id, '2026-11-20T12:15:00Z')
    await app.settled()
    expect(await states()).toEqual(['start missed'])
  })
})
