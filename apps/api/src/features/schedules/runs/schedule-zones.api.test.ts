import { Types } from 'mongoose'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '../../../platform/people/actor.ts'
import { setsSentTo, startSchedules } from '../../../testing/schedules-by-hand.ts'
import type { AddedDevice } from '../../../testing/test-api.ts'

const { app, startAt, newHome, schedule, occurrences, states, runAt, find } = await startSchedules()
afterAll(() => app.stop())

let sita: Actor
let device: AddedDevice
beforeEach(async () => {
  ;({ sita, device } = await newHome())
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
    expect(setsSentTo(device)).toEqual([[{ index: 1, on: true }], [{ index: 1, on: false }]])
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
    expect(setsSentTo(device)).toEqual([[{ index: 1, on: true }], [{ index: 1, on: false }]])
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
    expect(setsSentTo(device)).toEqual([[{ index: 1, on: true }], [{ index: 1, on: false }]])
  })
})
