import { dayMs } from '@batti/kit/durations'
import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '../../../platform/people/actor.ts'
import { eveningSchedule } from '../../../testing/evening-schedule.ts'
import { startApi, type AddedDevice, type TestApi } from '../../../testing/test-api.ts'
import type { TestInstance } from '../../../testing/test-instance.ts'
import type { OccurrenceDocument } from './occurrence.model.ts'

let app: TestApi
let sita: Actor
let device: AddedDevice
/** Friday 17:59 in Kathmandu. */
const start = '2026-11-20T12:14:00Z'

beforeAll(async () => {
  app = await startApi({ at: start, isShared: true })
})
afterAll(() => app.stop())
beforeEach(async () => {
  startAt(start)
  await app.connection.collection('schedules').deleteMany({})
  await app.connection.collection('scheduleOccurrences').deleteMany({})
  app.notices.length = 0
  sita = app.person()
  device = await app.device(sita)
})

/** As if the server had been running since then. */
function startAt(iso: string): void {
  app.broker.down()
  app.clock.set(iso)
  app.broker.up()
}
async function schedule(fields: Record<string, unknown> = {}, on = device): Promise<string> {
  const made = await app.call('POST', '/schedules', sita, {
    ...eveningSchedule(on, 1),
    ...fields
  })
  expect(made.message).toBe('Schedule created successfully!')
  return made.data._id
}
async function occurrences(): Promise<OccurrenceDocument[]> {
  await app.settled()
  return app.connection
    .collection<OccurrenceDocument>('scheduleOccurrences')
    .find({})
    .sort({ dueAt: 1, _id: 1 })
    .toArray()
}
const states = async (): Promise<string[]> => (await occurrences()).map(({ phase, state }) => `${phase} ${state}`)
const logs = async (): Promise<string[]> => {
  await app.settled()
  const { data } = await app.call('GET', '/switch-action-logs', sita)
  return data.logs.map(({ kind, from, description }: Record<string, string>) => `${kind} ${from}: ${description}`)
}
/** Moves the clock there, runs what is due, and waits until the results are stored. */
async function runAt(iso: string): Promise<void> {
  app.clock.set(iso)
  app.broker.heartbeat()
  await app.schedules.tick()
  await app.settled()
}
const commandsOf = (each: AddedDevice): unknown[] => each.board.commands.map(({ set }) => set)
const find = async (id: string) =>
  (await app.call('GET', '/schedules', sita)).data.schedules.find(({ _id }: { _id: string }) => _id === id)

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

describe('a schedule on time', () => {
  test('switches on at its start and off at its end; each is logged with the report that confirmed it', async () => {
    const id = await schedule({ repeatType: 'daily' })
    await runAt('2026-11-20T12:14:59Z')
    expect(device.board.commands).toEqual([])
    await runAt('2026-11-20T12:15:00Z')
    await expect.poll(states).toEqual(['start confirmed'])
    expect((await find(id)).nextRunAt).toBe('2026-11-20T16:15:00.000Z')
    await runAt('2026-11-20T16:15:01Z')
    await expect.poll(states).toEqual(['start confirmed', 'end confirmed'])
    expect(commandsOf(device)).toEqual([[{ index: 1, on: true }], [{ index: 1, on: false }]])
    expect(await logs()).toEqual(['change schedule: Switch 2 turned OFF', 'change schedule: Switch 2 turned ON'])
    const { data } = await app.call('GET', '/switch-action-logs', sita)
    expect(data.logs[0].cause).toEqual({ by: 'schedule', from: 'schedule', scheduleId: id })
    expect((await find(id)).nextRunAt).toBe('2026-11-21T12:15:00.000Z')
    expect(app.notices).toEqual([])
  })
  test('that changes nothing is confirmed and not logged', async () => {
    device.board.state = [false, true, false, false]
    device.board.report({})
    await schedule()
    const before = await logs()
    await runAt('2026-11-20T12:15:00Z')
    await expect.poll(states).toEqual(['start confirmed'])
    expect(await logs()).toEqual(before)
  })
  test('that runs once is inactive after its end', async () => {
    const id = await schedule()
    await runAt('2026-11-20T12:15:00Z')
    expect(await find(id)).toMatchObject({ isActive: true })
    await runAt('2026-11-20T16:15:00Z')
    expect(await find(id)).toMatchObject({ isActive: false, nextRunAt: null })
    await runAt('2026-11-21T12:15:00Z')
    expect(device.board.commands).toHaveLength(2)
  })
  test('that repeats is inactive after its end date', async () => {
    const id = await schedule({ repeatType: 'daily', endDate: '2026-11-20' })
    await runAt('2026-11-20T12:15:00Z')
    await runAt('2026-11-20T16:15:00Z')
    expect(await find(id)).toMatchObject({ isActive: false, nextRunAt: null })
  })
  test('that is inactive does not fire', async () => {
    await app.call('PATCH', `/schedules/toggle/${await schedule()}`, sita)
    await runAt('2026-11-20T12:15:00Z')
    expect(device.board.commands).toEqual([])
  })
  test('fires although the clock was hours ahead when the server started', async () => {
    startAt('2026-11-20T18:14:00Z')
    device = await app.device(sita)
    app.clock.step(-6 * 3_600_000)
    await schedule()
    app.clock.advance(31_000)
    await runAt('2026-11-20T12:15:00Z')
    await expect.poll(states).toEqual(['start confirmed'])
  })
  test('fires once, however often the runner checks', async () => {
    await schedule()
    for (let second = 0; second < 5; second += 1) await runAt(`2026-11-20T12:15:0${second}Z`)
    expect(device.board.commands).toHaveLength(1)
  })
  test('that starts when another ends: the switch gets one command', async () => {
    await schedule({ startTime: '17:30', endTime: '18:00', repeatType: 'daily' })
    await app.connection.collection('schedules').updateOne(
      {},
      {
        $set: {
          next: {
            phase: 'end',
            date: '2026-11-20',
            runDate: '2026-11-20',
            at: new Date('2026-11-20T12:15:00Z'),
            isShifted: false
          },
          nextRunAt: new Date('2026-11-20T12:15:00Z')
        }
      }
    )
    await schedule({ startTime: '18:00', endTime: '19:00' })
    await runAt('2026-11-20T12:15:00Z')
    await expect.poll(async () => (await states()).toSorted()).toEqual(['end superseded', 'start confirmed'])
    expect(commandsOf(device)).toEqual([[{ index: 1, on: true }]])
  })
})

describe('an edit during a run', () => {
  test('keeps the end, at its new time', async () => {
    const id = await schedule({ repeatType: 'daily' })
    await runAt('2026-11-20T12:15:00Z')
    app.clock.set('2026-11-20T14:00:00Z')
    expect((await app.call('PATCH', `/schedules/${id}`, sita, { endTime: '20:00' })).data.nextRunAt).toBe(
      '2026-11-20T14:15:00.000Z'
    )
    await runAt('2026-11-20T14:15:00Z')
    expect(commandsOf(device).at(-1)).toEqual([{ index: 1, on: false }])
  })
  test('to a later start on the same day makes it fire again', async () => {
    const id = await schedule({ repeatType: 'daily' })
    await runAt('2026-11-20T12:15:00Z')
    await app.call('PATCH', `/schedules/${id}`, sita, { startTime: '18:30' })
    await runAt('2026-11-20T12:45:00Z')
    expect(device.board.commands).toHaveLength(2)
  })
})

describe('an edit at the very minute', () => {
  /** Another instance has claimed and fired the start, and has not updated the plan yet. */
  const startIsFired = (id: string) =>
    app.connection.collection<{ _id: string }>('scheduleOccurrences').insertOne({ _id: `${id}:start:2026-11-20` })

  test.each([
    ['daily', { repeatType: 'daily' }],
    ['once', {}]
  ])('is too late for a start that is being fired: its end is kept, at the new time (%s)', async (_what, fields) => {
    const id = await schedule(fields)
    app.clock.set('2026-11-20T12:15:00Z')
    await startIsFired(id)
    const { data } = await app.call('PATCH', `/schedules/${id}`, sita, { endTime: '20:00' })
    expect(data.nextRunAt).toBe('2026-11-20T14:15:00.000Z')
    await runAt('2026-11-20T14:15:00Z')
    expect(commandsOf(device)).toEqual([[{ index: 1, on: false }]])
  })
  test('of a start that no instance fires leaves no end behind', async () => {
    const id = await schedule({ repeatType: 'daily' })
    app.clock.set('2026-11-20T12:15:00Z')
    const { data } = await app.call('PATCH', `/schedules/${id}`, sita, { endTime: '20:00' })
    expect(data.nextRunAt).toBe('2026-11-21T12:15:00.000Z')
  })
})

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
    expect(commandsOf(device)).toEqual([[{ index: 1, on: false }]])
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
    expect(commandsOf(device)).toEqual([[{ index: 1, on: true }], [{ index: 1, on: true }]])
    expect(await logs()).toEqual(['change schedule: Switch 2 turned ON'])
  })
  test('has missed the start if it answers the same again', async () => {
    await startAnsweredExpired({ isMute: true })
    answerExpired()
    await expect.poll(states).toEqual(['start missed'])
    await runAt('2026-11-20T12:15:04Z')
    expect(commandsOf(device)).toHaveLength(2)
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

describe('with the server down', () => {
  test('for two minutes: fired late at the start of the server', async () => {
    await schedule()
    app.broker.down()
    app.clock.set('2026-11-20T12:17:00Z')
    app.broker.up()
    device.board.connect()
    await runAt('2026-11-20T12:17:01Z')
    await expect.poll(states).toEqual(['start late'])
    expect(device.board.commands).toHaveLength(1)
  })
  test('and the board connected all the time: it is asked once, and switches as soon as it has answered', async () => {
    await schedule()
    const { schedules } = device.board
    app.clock.set('2026-11-20T12:15:00Z')
    const before = schedules.length
    // Only the server's link is new: a board that is connected sends nothing because of it.
    app.broker.up()
    await app.schedules.tick()
    app.clock.set('2026-11-20T12:15:02Z')
    await app.schedules.tick()
    expect([await states(), schedules.length - before]).toEqual([['start firing'], 1])
    device.board.report({ cause: 'config', schedulesRev: schedules.at(-1)?.rev ?? -1 })
    app.clock.set('2026-11-20T12:15:04Z')
    await app.schedules.tick()
    await expect.poll(states).toEqual(['start confirmed'])
    expect(device.board.commands).toHaveLength(1)
  })
  test('and the board away a little longer: the server waits for it', async () => {
    await schedule()
    app.broker.down()
    app.clock.set('2026-11-20T12:17:00Z')
    app.broker.up()
    await runAt('2026-11-20T12:17:01Z')
    expect(await states()).toEqual(['start firing'])
    expect(device.board.commands).toEqual([])
    app.clock.set('2026-11-20T12:17:20Z')
    device.board.connect()
    await runAt('2026-11-20T12:17:21Z')
    await expect.poll(states).toEqual(['start late'])
    expect(device.board.commands).toHaveLength(1)
  })
  test('for two hours: missed; the end, which is still to come, is fired', async () => {
    await schedule({ endTime: '21:00' })
    app.broker.down()
    app.clock.set('2026-11-20T14:15:00Z')
    app.broker.up()
    device.board.connect()
    await runAt('2026-11-20T14:15:01Z')
    expect(await states()).toEqual(['start missed'])
    expect(await logs()).toEqual([expect.stringContaining('the server was down')])
    await runAt('2026-11-20T15:15:00Z')
    await expect.poll(states).toEqual(['start missed', 'end confirmed'])
  })
  test('for three days: every occurrence of a daily schedule is recorded', async () => {
    await schedule({ repeatType: 'daily' })
    await runAt('2026-11-23T12:00:00Z')
    expect(await states()).toEqual([
      'start missed',
      'end missed',
      'start missed',
      'end missed',
      'start missed',
      'end missed'
    ])
    // How many share a sentence depends on which were stored together.
    const told = app.notices.map(({ text }) => 1 + Number(/, and (\d+) more/.exec(text)?.[1] ?? 0))
    expect(told.reduce((sum, count) => sum + count, 0)).toBe(6)
  })
  test('with only the broker down: it fires as soon as there is a connection', async () => {
    await schedule()
    app.broker.down()
    await runAt('2026-11-20T12:15:00Z')
    expect(await states()).toEqual(['start firing'])
    app.clock.set('2026-11-20T12:15:10Z')
    app.broker.up()
    device.board.connect()
    await runAt('2026-11-20T12:15:12Z')
    await expect.poll(states).toEqual(['start confirmed'])
    expect(device.board.commands).toHaveLength(1)
  })
})

describe('the clock was ahead, and was set back', () => {
  /** So far ahead during one check of what is due, and back. */
  async function aheadBy(ms: number): Promise<void> {
    app.clock.step(ms)
    await app.schedules.tick()
    await app.settled()
    app.clock.step(-ms)
  }

  test('by two years for a moment: schedules run as if nothing had happened', async () => {
    const id = await schedule({ repeatType: 'daily' })
    await aheadBy(800 * dayMs)
    expect((await find(id)).nextRunAt).toMatch(/^2029/)
    await app.schedules.tick()
    expect((await find(id)).nextRunAt).toBe('2026-11-20T12:15:00.000Z')
    expect(await states()).toEqual([])
    expect(await logs()).toEqual([])
    await runAt('2026-11-20T12:15:00Z')
    await runAt('2026-11-20T16:15:00Z')
    await expect.poll(states).toEqual(['start confirmed', 'end confirmed'])
    expect((await find(id)).nextRunAt).toBe('2026-11-21T12:15:00.000Z')
  })
  test.each([{ repeatType: 'once' }, { repeatType: 'daily', endDate: '2026-11-21' }])(
    'by two years, in which a schedule ended: it is active again, and runs (%j)',
    async (fields) => {
      const id = await schedule(fields)
      await aheadBy(800 * dayMs)
      expect((await find(id)).isActive).toBe(false)
      await app.call('DELETE', `/schedules/${await schedule()}`, sita)
      expect(device.board.schedules.at(-1)?.entries).toEqual([])
      await app.schedules.tick()
      expect(await find(id)).toMatchObject({ isActive: true, nextRunAt: '2026-11-20T12:15:00.000Z' })
      expect(device.board.schedules.at(-1)?.entries).toHaveLength(2)
      await runAt('2026-11-20T12:15:00Z')
      await expect.poll(states).toEqual(['start confirmed'])
      await aheadBy(800 * dayMs)
      await app.schedules.tick()
      expect((await find(id)).nextRunAt).toBe('2026-11-20T16:15:00.000Z')
    }
  )
  describe.each([
    ['', () => app.schedules.tick()],
    [' (while no process was running)', () => app.another()]
  ])('by two years, in which a schedule waited for its board%s', (_when, notice) => {
    test.each([{ repeatType: 'once' }, { repeatType: 'daily' }, { repeatType: 'weekly', repeatDays: ['Fri'] }])(
      'it runs at its time (%j)',
      async (fields) => {
        startAt('2026-11-20T11:38:00Z')
        device = await app.device(sita)
        const id = await schedule(fields)
        // As after a start of the server, before its boards have reconnected.
        startAt('2026-11-20T11:39:00Z')
        app.clock.step(800 * dayMs)
        await app.schedules.tick()
        expect(await states()).toContain('start firing')
        app.clock.step(-800 * dayMs)
        await notice()
        expect(await find(id)).toMatchObject({ isActive: true, nextRunAt: '2026-11-20T12:15:00.000Z' })
        device.board.connect()
        await runAt('2026-11-20T11:40:00Z')
        expect(await states()).toEqual([])
        await runAt('2026-11-20T12:15:00Z')
        await expect.poll(states).toEqual(['start confirmed'])
        await runAt('2026-11-20T16:15:00Z')
        await expect.poll(states).toEqual(['start confirmed', 'end confirmed'])
        expect(commandsOf(device)).toEqual([[{ index: 1, on: true }], [{ index: 1, on: false }]])
      }
    )
  })
  test('and the process ended meanwhile: what it missed stays in the log for an hour, or until it runs', async () => {
    await schedule({ repeatType: 'daily' })
    app.clock.step(3 * dayMs)
    await app.schedules.tick()
    const missed = await states()
    expect(new Set(missed)).toEqual(new Set(['start missed', 'end missed']))
    app.clock.step(-3 * dayMs)
    const other = await app.another()
    device.board.report({ cause: 'resync' })
    app.clock.set('2026-11-20T12:15:00Z')
    await other.schedules.tick()
    await other.settled()
    await expect.poll(states).toEqual(['start confirmed', ...missed.slice(1)])
    expect((await logs()).filter((text) => text.startsWith('change'))).toHaveLength(1)
    expect(await logs()).toHaveLength(missed.length)
    app.clock.advance(61 * 60_000)
    await other.schedules.tick()
    expect(await states()).toEqual(['start confirmed'])
    expect(await logs()).toHaveLength(1)
  })
  test('by too much, in which a schedule ended: it still runs once, on its date', async () => {
    startAt('2026-11-20T12:35:00Z')
    const id = await schedule()
    app.clock.step(800 * dayMs)
    await app.schedules.tick()
    await app.settled()
    expect((await find(id)).isActive).toBe(false)
    app.clock.step(-800 * dayMs - 3_600_000)
    await app.schedules.tick()
    app.clock.step(3_600_000)
    await app.schedules.tick()
    expect(await find(id)).toMatchObject({ isActive: true, nextRunAt: '2026-11-21T12:15:00.000Z' })
    expect(await states()).toEqual([])
  })
  test('and a schedule that ended, and was switched on and off since, stays off', async () => {
    const id = await schedule()
    app.clock.step(800 * dayMs)
    await app.schedules.tick()
    await app.settled()
    for (const isActive of [true, false]) await app.call('PATCH', `/schedules/toggle/${id}`, sita, { isActive })
    app.clock.step(-800 * dayMs)
    await app.schedules.tick()
    expect((await find(id)).isActive).toBe(false)
  })
  test.each([
    ['2029-02-02', 'start', '12:15'],
    ['2026-11-20', 'end', '16:15']
  ])('while no process was running: the next start notices it (%s, %s)', async (date, phase, time) => {
    const id = await schedule({ repeatType: 'weekly', repeatDays: ['Fri'] })
    const at = new Date(`${date}T${time}:00Z`)
    await app.connection
      .collection('schedules')
      .updateOne({}, { $set: { next: { phase, date, runDate: date, at, isShifted: false }, nextRunAt: at } })
    await app.another()
    expect((await find(id)).nextRunAt).toBe('2026-11-20T12:15:00.000Z')
  })
  test('and the end of a run that has started is not later than it should be', async () => {
    const id = await schedule({ repeatType: 'daily' })
    await runAt('2026-11-20T12:15:00Z')
    await app.another()
    expect((await find(id)).nextRunAt).toBe('2026-11-20T16:15:00.000Z')
  })
  describe.each([{ endDate: '' }, { endDate: '2026-11-22' }])('in the middle of a run (%j)', (fields) => {
    test.each([3 * 3_600_000, 5 * dayMs, 800 * dayMs])('by %d ms: it ends at its time, and once', async (ms) => {
      const id = await schedule({ repeatType: 'daily', ...fields })
      await runAt('2026-11-20T12:15:00Z')
      await expect.poll(states).toEqual(['start confirmed'])
      app.clock.set('2026-11-20T15:00:00Z')
      await aheadBy(ms)
      await app.schedules.tick()
      expect((await find(id)).nextRunAt).toBe('2026-11-20T16:15:00.000Z')
      await runAt('2026-11-20T16:15:00Z')
      await expect.poll(states).toEqual(['start confirmed', 'end confirmed'])
      expect((await find(id)).nextRunAt).toBe('2026-11-21T12:15:00.000Z')
    })
  })
  test('in the middle of a run that ends on the next day: it ends then', async () => {
    const id = await schedule({ repeatType: 'daily', endTime: '06:00' })
    await runAt('2026-11-20T12:15:00Z')
    await expect.poll(states).toEqual(['start confirmed'])
    app.clock.set('2026-11-20T20:00:00Z')
    await aheadBy(5 * dayMs)
    await app.schedules.tick()
    expect((await find(id)).nextRunAt).toBe('2026-11-21T00:15:00.000Z')
  })
  test('in the middle of a run whose end then waited for its board: it ends at its time', async () => {
    const id = await schedule({ repeatType: 'daily' })
    await runAt('2026-11-20T12:15:00Z')
    await expect.poll(states).toEqual(['start confirmed'])
    // As after a start of the server, before its boards have reconnected.
    startAt('2026-11-20T15:00:00Z')
    await aheadBy(3 * 3_600_000)
    expect(await states()).toEqual(['start confirmed', 'end firing'])
    await app.schedules.tick()
    expect((await find(id)).nextRunAt).toBe('2026-11-20T16:15:00.000Z')
  })
  test('by a minute, in which a schedule has run: it does not run again, and its end fires at its time', async () => {
    const id = await schedule({ repeatType: 'daily' })
    app.clock.step(60_000)
    await runAt('2026-11-20T12:15:00Z')
    await expect.poll(states).toEqual(['start confirmed'])
    app.clock.step(-60_000)
    await app.schedules.tick()
    await runAt('2026-11-20T12:15:00Z')
    expect(await states()).toEqual(['start confirmed'])
    expect(device.board.commands).toHaveLength(1)
    expect((await find(id)).nextRunAt).toBe('2026-11-20T16:15:00.000Z')
  })
})

describe('the clock was behind for a while, as after a power cut', () => {
  /** A power cut, and a machine whose clock stands still until it gets the time. */
  async function behindBy(ms: number): Promise<void> {
    app.clock.step(-ms)
    await app.schedules.tick()
    await app.settled()
    app.clock.step(ms)
    await app.schedules.tick()
    await app.settled()
  }
  const daily = { repeatType: 'daily' }

  test.each([
    [{}, 7 * dayMs, '2026-11-21T12:15:00.000Z'],
    [{}, 20_700 * dayMs, '2026-11-21T12:15:00.000Z'],
    [{}, 3_600_000, '2026-11-21T12:15:00.000Z'],
    [{ endDate: '2026-11-25' }, 7 * dayMs, '2026-11-25T12:15:00.000Z'],
    [daily, 7 * dayMs, '2026-11-21T12:15:00.000Z'],
    [{ repeatType: 'weekly', repeatDays: ['Mon'] }, 30 * dayMs, '2026-11-23T12:15:00.000Z']
  ])('a new schedule waits for the same time, and none was missed (%j, %d ms)', async (fields, ms, nextRunAt) => {
    startAt('2026-11-20T12:35:00Z')
    const id = await schedule(fields)
    await behindBy(ms)
    expect(await find(id)).toMatchObject({ isActive: true, nextRunAt })
    expect(await logs()).toEqual([])
    expect(app.notices).toEqual([])
    expect(await states()).toEqual([])
  })
  test('twice in a row, each time by more', async () => {
    startAt('2026-11-20T12:35:00Z')
    const id = await schedule()
    app.clock.step(-3 * dayMs)
    await app.schedules.tick()
    app.clock.step(-5 * dayMs)
    await app.schedules.tick()
    app.clock.step(8 * dayMs)
    await app.schedules.tick()
    expect(await find(id)).toMatchObject({ isActive: true, nextRunAt: '2026-11-21T12:15:00.000Z' })
    expect(await states()).toEqual([])
  })
  test('the end of a run fires at its time', async () => {
    const id = await schedule(daily)
    await runAt('2026-11-20T12:15:00Z')
    await expect.poll(states).toEqual(['start confirmed'])
    app.clock.set('2026-11-20T12:35:00Z')
    await behindBy(7 * dayMs)
    expect((await find(id)).nextRunAt).toBe('2026-11-20T16:15:00.000Z')
    app.broker.heartbeat()
    await runAt('2026-11-20T16:15:00Z')
    await expect.poll(states).toEqual(['start confirmed', 'end confirmed'])
  })
  test('occurrences without power are missed', async () => {
    startAt('2026-11-20T12:35:00Z')
    const id = await schedule(daily)
    app.clock.step(-7 * dayMs)
    await app.schedules.tick()
    await runAt('2026-11-21T12:35:00Z')
    expect((await occurrences()).map(({ _id, state }) => `${_id.slice(25)} ${state}`)).toEqual([
      'start:2026-11-21 missed'
    ])
    expect((await find(id)).nextRunAt).toBe('2026-11-21T16:15:00.000Z')
  })
  test('and ahead before that: no schedule of a server that was away is skipped', async () => {
    const id = await schedule(daily)
    app.clock.step(800 * dayMs)
    await app.schedules.tick()
    await app.settled()
    app.clock.step(-800 * dayMs)
    await app.schedules.tick()
    await runAt('2026-11-20T12:35:00Z')
    expect(await states()).toEqual(['start missed'])
    expect((await find(id)).nextRunAt).toBe('2026-11-20T16:15:00.000Z')
  })
  test.each([7 * dayMs, 20_700 * dayMs])('what was missed before stays in the log (%d ms)', async (ms) => {
    await schedule(daily)
    device.board.disconnect()
    await runAt('2026-11-20T12:15:00Z')
    expect(await states()).toEqual(['start missed'])
    await behindBy(ms)
    expect(await states()).toEqual(['start missed'])
    expect(await logs()).toEqual([expect.stringContaining('was not turned ON at 18:00')])
  })
  test('changed times count, whatever it waited for before', async () => {
    startAt('2026-11-20T12:35:00Z')
    const id = await schedule(daily)
    app.clock.step(-7 * dayMs)
    await app.schedules.tick()
    await app.call('PATCH', `/schedules/${id}`, sita, { startTime: '20:00', endTime: '21:00' })
    app.clock.step(7 * dayMs)
    await app.schedules.tick()
    await app.settled()
    expect((await find(id)).nextRunAt).toBe('2026-11-20T14:15:00.000Z')
  })
})

describe('clock changes', () => {
  test('a time that New York skips fires once, after the gap, and is marked', async () => {
    startAt('2027-03-14T05:00:00Z')
    const there = await app.device(sita, { timezone: 'America/New_York' })
    await schedule({ startTime: '02:30', endTime: '05:00', repeatType: 'daily' }, there)
    for (const at of ['06:59:59', '07:00:00', '07:29:59']) await runAt(`2027-03-14T${at}Z`)
    expect(there.board.commands).toEqual([])
    await runAt('2027-03-14T07:30:00Z')
    await expect
      .poll(async () => (await occurrences()).map(({ state, isShifted }) => [state, isShifted]))
      .toEqual([['confirmed', true]])
    await runAt('2027-03-14T08:30:00Z')
    expect(there.board.commands).toHaveLength(1)
  })
  test('a time that occurs twice fires at the first', async () => {
    startAt('2026-11-01T04:00:00Z')
    const there = await app.device(sita, { timezone: 'America/New_York' })
    await schedule({ startTime: '01:30', endTime: '05:00', repeatType: 'daily' }, there)
    await runAt('2026-11-01T05:30:00Z')
    await runAt('2026-11-01T06:30:00Z')
    await expect.poll(states).toEqual(['start confirmed'])
    expect(there.board.commands).toHaveLength(1)
  })
})

describe('planned with another time zone database than this process has', () => {
  /** By the rules of that database it was due then. */
  const plannedFor = (iso: string) =>
    app.connection
      .collection('schedules')
      .updateOne({}, { $set: { tzVersion: '2020a', 'next.at': new Date(iso), nextRunAt: new Date(iso) } })

  test('a schedule is planned anew at the start, once', async () => {
    const id = await schedule({ repeatType: 'daily' })
    await plannedFor('2026-11-20T13:15:00Z')
    await app.another()
    expect((await find(id)).nextRunAt).toBe('2026-11-20T12:15:00.000Z')
    const stored = await app.connection.collection('schedules').findOne({})
    expect(stored?.['tzVersion']).toBe(process.versions['tz'])
  })
  test('a schedule that is due fires as planned', async () => {
    const id = await schedule({ repeatType: 'daily' })
    await plannedFor('2026-11-20T12:15:03Z')
    app.clock.set('2026-11-20T12:15:03Z')
    await app.another()
    await runAt('2026-11-20T12:15:04Z')
    await expect.poll(states).toEqual(['start confirmed'])
    expect((await find(id)).nextRunAt).toBe('2026-11-20T16:15:00.000Z')
  })
  test('a schedule whose board is gone keeps its time, and does not keep the server from starting', async () => {
    await schedule()
    await plannedFor('2026-11-20T13:15:00Z')
    await app.connection.collection('schedules').updateOne({}, { $set: { deviceId: new Types.ObjectId() } })
    await app.another()
    expect(await app.connection.collection('schedules').findOne({})).toMatchObject({
      tzVersion: process.versions['tz'],
      nextRunAt: new Date('2026-11-20T13:15:00Z')
    })
  })
  test('a run that has begun ends by the rules of today', async () => {
    const id = await schedule({ repeatType: 'daily' })
    await runAt('2026-11-20T12:15:00Z')
    await plannedFor('2026-11-20T15:15:00Z')
    await app.another()
    expect((await find(id)).nextRunAt).toBe('2026-11-20T16:15:00.000Z')
  })
})

test('a board that moves to a zone in which the last day is over: its schedule is inactive', async () => {
  const id = await schedule({ repeatType: 'daily', endDate: '2026-11-20' })
  await app.call('PATCH', `/devices/${device.id}`, sita, { timezone: 'Pacific/Auckland' })
  await app.settled()
  await expect.poll(() => find(id)).toMatchObject({ timezone: 'Pacific/Auckland', isActive: false, nextRunAt: null })
})

describe('a board that moves to another zone during a run', () => {
  test.each([
    [{}, { isActive: false, nextRunAt: null }],
    // Friday, 18:00 in Auckland.
    [
      { repeatType: 'weekly', days: ['Fri'] },
      { isActive: true, nextRunAt: '2026-11-27T05:00:00.000Z' }
    ]
  ])('that is over by the clocks there ends when it would have ended: %o', async (fields, after) => {
    const id = await schedule(fields)
    await runAt('2026-11-20T12:15:00Z')
    await app.call('PATCH', `/devices/${device.id}`, sita, { timezone: 'Pacific/Auckland' })
    await app.settled()
    await expect
      .poll(() => find(id))
      .toMatchObject({ timezone: 'Pacific/Auckland', nextRunAt: '2026-11-20T16:15:00.000Z' })
    await runAt('2026-11-20T16:15:00Z')
    await expect.poll(states).toEqual(['start confirmed', 'end confirmed'])
    expect(commandsOf(device)).toEqual([[{ index: 1, on: true }], [{ index: 1, on: false }]])
    expect(await find(id)).toMatchObject(after)
  })
  test('that is not over there ends by the clocks there', async () => {
    const id = await schedule()
    await runAt('2026-11-20T12:15:00Z')
    await app.call('PATCH', `/devices/${device.id}`, sita, { timezone: 'Europe/London' })
    await app.settled()
    await expect.poll(() => find(id)).toMatchObject({ timezone: 'Europe/London' })
    await runAt('2026-11-20T18:00:00Z')
    await runAt('2026-11-20T22:00:00Z')
    expect(commandsOf(device)).toEqual([[{ index: 1, on: true }], [{ index: 1, on: false }]])
    expect(await find(id)).toMatchObject({ isActive: false, nextRunAt: null })
  })
  test('where the next run begins before the old end starts with that one, and the lamp stays on', async () => {
    const id = await schedule({ repeatType: 'daily', endTime: '12:00' })
    await runAt('2026-11-20T12:15:00Z')
    app.clock.set('2026-11-21T04:30:00Z')
    await app.call('PATCH', `/devices/${device.id}`, sita, { timezone: 'Pacific/Auckland' })
    await app.settled()
    await expect
      .poll(() => find(id))
      .toMatchObject({ timezone: 'Pacific/Auckland', nextRunAt: '2026-11-21T05:00:00.000Z' })
  })
  test('that has not started there, and moves back, ends when it would have ended', async () => {
    const id = await schedule({ repeatType: 'daily' })
    await runAt('2026-11-20T12:15:00Z')
    for (const timezone of ['Europe/London', 'Asia/Kathmandu']) {
      await app.call('PATCH', `/devices/${device.id}`, sita, { timezone })
      await app.settled()
      await expect.poll(() => find(id)).toMatchObject({ timezone })
    }
    await runAt('2026-11-20T16:15:00Z')
    await expect.poll(states).toEqual(['start confirmed', 'end confirmed'])
    expect(commandsOf(device)).toEqual([[{ index: 1, on: true }], [{ index: 1, on: false }]])
  })
})

describe('deleted before it is due', () => {
  test('an account: nothing fires and nothing of it is left', async () => {
    await schedule()
    app.clock.set('2026-11-20T12:14:55Z')
    await app.accounts.eraseHomeOf(sita.userId)
    await runAt('2026-11-20T12:15:00Z')
    expect(device.board.commands).toEqual([])
    expect(await occurrences()).toEqual([])
    expect(await app.connection.collection('schedules').countDocuments({})).toBe(0)
  })
  test('a board whose schedule was already claimed: skipped', async () => {
    await schedule()
    app.broker.down()
    await runAt('2026-11-20T12:15:00Z')
    await app.call('DELETE', `/devices/${device.id}`, sita)
    app.broker.up()
    await runAt('2026-11-20T12:15:10Z')
    expect(await states()).toEqual(['start skipped'])
    expect(device.board.commands).toEqual([])
  })
  test.each([
    ['switched off', (id: string) => app.call('PATCH', `/schedules/toggle/${id}`, sita)],
    ['switched off in its form', (id: string) => app.call('PATCH', `/schedules/${id}`, sita, { isActive: false })],
    [
      'given to another switch',
      (id: string) => app.call('PATCH', `/schedules/${id}`, sita, { switchId: device.switchIds[2], switchIndex: 2 })
    ]
  ])('a schedule that is %s while it waits for the broker does not fire', async (_how, change) => {
    const id = await schedule({ repeatType: 'daily' })
    app.broker.down()
    await runAt('2026-11-20T12:15:00Z')
    expect(await states()).toEqual(['start firing'])
    expect((await change(id)).success).toBe(true)
    app.clock.set('2026-11-20T12:15:10Z')
    app.broker.up()
    device.board.connect()
    await runAt('2026-11-20T12:15:12Z')
    expect(await states()).toEqual(['start skipped'])
    expect(device.board.commands).toEqual([])
  })
  test('a schedule that is switched off while its command is on its way has run, for the board executes it', async () => {
    const id = await schedule({ repeatType: 'daily' })
    device.board.isMute = true
    await runAt('2026-11-20T12:15:00Z')
    await app.call('PATCH', `/schedules/toggle/${id}`, sita)
    const commandId = device.board.commands[0]?.id ?? ''
    device.board.state = [false, true, false, false]
    device.board.report({ cause: 'command', commandId, result: 'applied', changed: [1] })
    await expect.poll(states).toEqual(['start confirmed'])
    expect(await logs()).toEqual(['change schedule: Switch 2 turned ON'])
  })
  test('a schedule that is switched off when it is due: another of the switch fires in its place', async () => {
    await schedule()
    const newer = await schedule()
    app.clock.set('2026-11-20T12:15:00Z')
    await app.call('PATCH', `/schedules/toggle/${newer}`, sita)
    await runAt('2026-11-20T12:15:01Z')
    await expect.poll(states).toEqual(['start confirmed', 'start superseded'])
    expect(commandsOf(device)).toEqual([[{ index: 1, on: true }]])
  })
  test('a schedule that is changed when it is due: its old time is superseded', async () => {
    const id = await schedule()
    app.clock.set('2026-11-20T12:15:00Z')
    await app.call('PATCH', `/schedules/${id}`, sita, { startTime: '19:00' })
    await runAt('2026-11-20T12:15:01Z')
    expect(await states()).toEqual(['start superseded'])
    expect(device.board.commands).toEqual([])
  })
})

describe('two api instances on one database', () => {
  const boards = 6
  const perBoard = 4

  async function manySchedules(): Promise<AddedDevice[]> {
    const all: AddedDevice[] = []
    for (let index = 0; index < boards; index += 1) all.push(await app.device(sita))
    for (const each of all) {
      for (const [index, switchId] of each.switchIds.entries()) {
        await schedule({ switchId, switchIndex: index, repeatType: 'daily' }, each)
      }
    }
    return all
  }
  const commands = (all: readonly AddedDevice[]): number[] =>
    all.flatMap(({ board }) =>
      [0, 1, 2, 3].map((index) => board.commands.filter(({ set }) => set[0]?.index === index).length)
    )
  const once = Array.from({ length: boards * perBoard }, () => 1)
  /** An instance that was suspended has sent a command without an answer; another, which is returned, has sent it again. */
  async function takenOver(): Promise<TestInstance> {
    await schedule()
    const second = await app.another()
    device.board.report({ cause: 'resync' })
    device.board.isMute = true
    await runAt('2026-11-20T12:15:00Z')
    app.clock.advance(9500)
    await second.schedules.tick()
    return second
  }

  test('fire each occurrence once, whichever checks first', async () => {
    const all = await manySchedules()
    const second = await app.another()
    // It has received messages of the boards too.
    for (const { board } of all) board.report({ cause: 'resync' })
    app.clock.set('2026-11-20T12:15:00Z')
    await Promise.all([app.schedules.tick(), second.schedules.tick(), app.schedules.tick()])
    await second.settled()
    await expect.poll(async () => new Set(await states())).toEqual(new Set(['start confirmed']))
    expect(await occurrences()).toHaveLength(boards * perBoard)
    expect(commands(all)).toEqual(once)
    await expect.poll(async () => (await logs()).length).toBe(boards * perBoard)
  })

  test('when one crashes before it stores the results, and everything was switched back by hand, nothing is sent again', async () => {
    const on = { index: 1, on: true }
    const all = [device, await app.device(sita), await app.device(sita)]
    for (const each of all) await schedule({ switchId: each.switchIds[1] }, each)
    await runAt('2026-11-20T12:15:00Z')
    await expect.poll(states).toEqual(['start confirmed', 'start confirmed', 'start confirmed'])
    for (const { board } of all) {
      board.state = [false, false, false, false]
      board.report({ cause: 'button' })
    }
    await app.settled()
    await app.connection
      .collection('scheduleOccurrences')
      .updateMany({}, { $set: { state: 'firing', leaseUntil: new Date('2026-11-20T12:15:09Z') } })
    await runAt('2026-11-20T12:15:10Z')
    expect(await states()).toEqual(['start confirmed', 'start confirmed', 'start confirmed'])
    expect(all.map(commandsOf)).toEqual([[[on]], [[on]], [[on]]])
  })

  test('when one that was suspended finds its command unanswered, that of the other still counts', async () => {
    const second = await takenOver()
    app.link.sweep()
    await app.settled()
    expect(await states()).toEqual(['start firing'])
    const commandId = device.board.commands[1]?.id ?? ''
    device.board.state = [false, true, false, false]
    device.board.report({ cause: 'command', commandId, result: 'applied', changed: [1] })
    await second.settled()
    await expect.poll(states).toEqual(['start confirmed'])
    await expect.poll(logs).toEqual(['change schedule: Switch 2 turned ON'])
    expect(app.notices).toEqual([])
  })

  test('when one that was suspended gets a refusal for the time, it leaves the other its claim', async () => {
    await takenOver()
    const [first, again] = device.board.commands
    device.board.report({ cause: 'command', commandId: first?.id ?? '', result: 'expired', changed: [] })
    await app.settled()
    await app.schedules.tick()
    app.clock.advance(2000)
    await app.schedules.tick()
    expect(device.board.commands).toEqual([first, again])
  })

  test.each([0, 1, 7, 23])(
    'when one is killed after it has sent %i of 24 commands, the other completes them within 10 s, once each',
    async (sent) => {
      const all = await manySchedules()
      const doomed: TestInstance = await app.another()
      for (const { board } of all) board.report({ cause: 'resync' })
      app.clock.set('2026-11-20T12:15:00Z')
      const killed = doomed.killAfter(sent)
      await Promise.all([killed, doomed.schedules.tick()])
      expect(all.flatMap(({ board }) => board.commands)).toHaveLength(sent)
      expect(new Set(await states())).toEqual(new Set(['start firing']))

      await app.schedules.tick()
      app.clock.advance(9500)
      app.broker.heartbeat()
      await app.schedules.tick()
      await expect.poll(async () => new Set(await states())).toEqual(new Set(['start confirmed']))
      expect(await occurrences()).toHaveLength(boards * perBoard)
      expect(commands(all)).toEqual(once)
      expect(all.every(({ board }) => board.state.every(Boolean))).toBe(true)
    }
  )
})
