import { dayMs } from '@batti/kit/durations'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '../../../platform/people/actor.ts'
import { setsSentTo, startSchedules } from '../../../testing/schedules-by-hand.ts'
import type { AddedDevice } from '../../../testing/test-api.ts'

const { app, startAt, newHome, schedule, occurrences, states, logs, runAt, find } = await startSchedules()
afterAll(() => app.stop())

let sita: Actor
let device: AddedDevice
beforeEach(async () => {
  ;({ sita, device } = await newHome())
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
        const id = await schedule(fields, device)
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
        expect(setsSentTo(device)).toEqual([[{ index: 1, on: true }], [{ index: 1, on: false }]])
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
