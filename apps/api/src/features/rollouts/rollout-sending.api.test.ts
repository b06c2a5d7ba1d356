import { hourMs, minuteMs } from '@batti/kit/durations'
import { afterAll, describe, expect, test } from 'vitest'
import { all, idsOf, sentTo, startRollouts } from '../../testing/rollouts-by-hand.ts'
import type { AddedDevice } from '../../testing/test-api.ts'

const { app, admin, image, boardsOf, pass, look, start, rollout, end, prove } = await startRollouts()
afterAll(() => app.stop())

async function expectSentAt(boards: AddedDevice[], at: string, isSent: boolean[]): Promise<void> {
  app.clock.set(at)
  await pass(1)
  await look()
  expect(sentTo(boards), at).toEqual(isSent)
}

describe('a rollout', () => {
  test('sends to a third of its boards in one pass, so that they do not all restart at the same moment', async () => {
    const boards = await boardsOf(12)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 10 })
    const sentSoFar = () => sentTo(boards).filter(Boolean).length
    // Two passes at its start; the first finds boards that have just connected.
    expect(sentSoFar()).toBe(4)
    for (const expected of [8, 10, 10]) {
      await app.rollouts.tick()
      expect(sentSoFar()).toBe(expected)
    }
    await end(id)
  })

  test('finds an online board in one pass, however many offline ones come before it', async () => {
    const boards = await boardsOf(22)
    const { fileName } = await image()
    for (const { board } of boards.slice(0, -1)) board.disconnect()
    await app.settled()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 1 })
    expect(sentTo(boards).filter(Boolean)).toHaveLength(1)
    expect((await rollout(id)).counts).toEqual({ sent: 1, waiting: 21 })
    await end(id)
  })

  test('finds a board soon that another instance was just storing as online when it started', async () => {
    const boards = await boardsOf(1)
    const { fileName } = await image()
    const store = (isOnline: boolean) => app.models.devices.findByIdAndUpdate(boards[0]?.id, { isOnline })
    await store(false)
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    expect(sentTo(boards)).toEqual([false])
    await store(true)
    await pass(5000)
    await look()
    expect(sentTo(boards)).toEqual([true])
    await end(id)
  })

  test('sends only within its hours, by the clock of each board', async () => {
    app.clock.set('2026-11-22T06:00:00Z')
    const boards = await boardsOf(1)
    const { fileName } = await image()
    const id = await start({
      fileName,
      target: { deviceIds: idsOf(boards) },
      stages: all,
      allowedHours: { from: '23:00', to: '05:00' }
    })
    expect(sentTo(boards)).toEqual([false])
    await expectSentAt(boards, '2026-11-22T17:14:00Z', [false])
    await expectSentAt(boards, '2026-11-22T17:16:00Z', [true])
    await end(id)
  })

  test('of the night sends from one to five by the clock of each board', async () => {
    app.clock.set('2026-11-23T06:00:00Z')
    const boards = await boardsOf(1)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, updateWhen: 'night' })
    // Kathmandu is five hours and three quarters ahead.
    await expectSentAt(boards, '2026-11-23T19:14:00Z', [false])
    await expectSentAt(boards, '2026-11-23T19:16:00Z', [true])
    await end(id)
  })

  test('that waits for idle boards sends when no lamp is on', async () => {
    const owner = app.person()
    const boards = await boardsOf(1, owner)
    const { fileName } = await image()
    const [lamp] = boards
    await app.call('PATCH', `/switches/by-id/${lamp?.switchIds[0]}`, owner, { status: true })
    await app.settled()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, updateWhen: 'idle' })
    expect(sentTo(boards)).toEqual([false])
    await app.call('PATCH', `/switches/by-id/${lamp?.switchIds[0]}`, owner, { status: false })
    await app.settled()
    await pass(10 * minuteMs)
    await look()
    expect(sentTo(boards)).toEqual([true])
    await end(id)
  })

  test('leaves pinned boards alone while they are pinned, and so does the update of one', async () => {
    const boards = await boardsOf(2)
    const { fileName } = await image()
    const [pinned] = boards
    const endsAt = new Date(app.clock.now() + hourMs).toISOString()
    const pin = { version: '1.0.0', reason: 'on trial', endsAt }
    expect((await app.call('PATCH', `/devices/${pinned?.id}`, admin, { pinnedVersion: pin })).statusCode).toBe(200)
    const preview = async () =>
      (await app.call('POST', '/rollouts/preview', admin, { fileName, target: { deviceIds: idsOf(boards) } })).data
    expect(await preview()).toMatchObject({ total: 1, excluded: [{ reason: 'pinned', count: 1 }] })
    const single = () => app.call('POST', '/update-device-firmware', admin, { deviceId: pinned?.id, fileName })
    expect(await single()).toMatchObject({ statusCode: 409, code: 'CONFLICT' })
    await pass(hourMs)
    expect(await preview()).toMatchObject({ total: 2, excluded: [] })
    expect((await single()).statusCode).toBe(200)
  })

  test('waits 30 days for offline boards, then continues without them', async () => {
    const boards = await boardsOf(2)
    const { fileName, version } = await image()
    const away = boards[1]
    away?.board.disconnect()
    await app.settled()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    await prove(boards, version)
    await pass(29 * 24 * hourMs)
    await look()
    expect(await rollout(id)).toMatchObject({ state: 'running', counts: { done: 1, waiting: 1 } })
    await pass(2 * 24 * hourMs)
    await look()
    expect(await rollout(id)).toMatchObject({ state: 'done', counts: { done: 1, skipped: 1 } })
    away?.board.connect()
    await app.settled()
    await look()
    expect(away?.board.updates).toEqual([])
  })

  test('that follows the filter takes a skipped board back when it returns, in its last stage', async () => {
    const owner = app.person()
    const boards = await boardsOf(3, owner)
    const { fileName, version } = await image()
    const away = boards[0]
    away?.board.disconnect()
    await app.settled()
    const id = await start({
      fileName,
      target: { filter: { userId: owner.userId } },
      stages: [{ devices: 3, holdMinutes: 0 }, ...all],
      follow: true
    })
    await prove(boards, version)
    await pass(31 * 24 * hourMs)
    await look()
    expect(await rollout(id)).toMatchObject({ state: 'running', counts: { done: 2, skipped: 1 }, total: 3 })
    away?.board.connect()
    await app.settled()
    await pass(minuteMs)
    await look()
    const { counts, stages, total } = await rollout(id)
    expect([counts, stages.map((stage) => stage.total), total]).toEqual([{ done: 2, sent: 1 }, [2, 1], 3])
    await end(id)
  })

  test('waits 30 days in each stage, from its start', async () => {
    const boards = await boardsOf(3)
    const { fileName, version } = await image()
    for (const { board } of boards.slice(1)) board.disconnect()
    await app.settled()
    const stages = [{ devices: 2, holdMinutes: 7 * 24 * 60 }, ...all]
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages })
    await prove(boards, version)
    for (const [days, expected] of [
      [8, { state: 'running', counts: { done: 1, waiting: 2 } }],
      [23, { state: 'running', counts: { done: 1, skipped: 1, waiting: 1 } }],
      [8, { state: 'done', counts: { done: 1, skipped: 2 } }]
    ] as const) {
      await pass(days * 24 * hourMs)
      await look()
      expect(await rollout(id)).toMatchObject(expected)
    }
  })

  test('waits another 30 days for a board that is retried', async () => {
    const boards = await boardsOf(1)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    const [lamp] = boards
    app.broker.say(`d/${lamp?.id}/up/firmware-progress`, {
      id: lamp?.board.updates[0]?.id,
      phase: 'failed',
      percent: 0
    })
    await app.settled()
    lamp?.board.disconnect()
    await pass(31 * 24 * hourMs)
    await app.call('POST', `/rollouts/${id}/retry`, admin, {})
    for (const [days, counts] of [
      [1, { waiting: 1 }],
      [31, { skipped: 1 }]
    ] as const) {
      await pass(days * 24 * hourMs)
      await look()
      expect((await rollout(id)).counts).toEqual(counts)
    }
  })
})
