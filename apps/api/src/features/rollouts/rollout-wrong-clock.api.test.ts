import { hourMs, minuteMs } from '@batti/kit/durations'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { all, idsOf, sentTo, startRollouts } from '../../testing/rollouts-by-hand.ts'
import type { TestInstance } from '../../testing/test-instance.ts'
import type { TargetDocument } from './targets/target.model.ts'

const { app, image, boardsOf, runs, pass, look, start, rollout, end, prove } = await startRollouts()
afterAll(() => app.stop())

describe('a rollout whose server has a wrong clock for a while', () => {
  const days = 800 * 24 * hourMs
  /** The clock is wrong by so much during these passes of the engine. */
  async function wrongBy(ms: number, body: () => Promise<void> = look): Promise<void> {
    app.clock.step(ms)
    await body()
    app.clock.step(-ms)
    await look()
  }

  /** Runs `body`, in which the first write of such rows gets no answer, whether it was stored or not. */
  async function withoutAnswer(
    { connection }: Pick<TestInstance, 'connection'>,
    [model, method]: ['Rollout', 'updateOne'] | ['RolloutTarget', 'updateMany'],
    { of, isStored }: { of: object; isStored: boolean },
    body: () => Promise<void>
  ): Promise<void> {
    const rows = connection.model(model)
    const write = rows[method].bind(rows) as (...change: unknown[]) => Promise<unknown>
    let failures = 0
    const failing = vi.spyOn(rows, method).mockImplementation((async (...change: unknown[]) => {
      const isFirst =
        failures === 0 && Object.entries(of).every(([name, value]) => Reflect.get(change[0] as object, name) === value)
      if (isStored || !isFirst) await write(...change)
      if (!isFirst) return
      failures += 1
      throw new Error('the connection is lost')
    }) as never)
    await body()
    failing.mockRestore()
    expect(failures).toBe(1)
  }

  test.each([
    ['ahead', days],
    ['behind', -days],
    ['ahead by an hour', hourMs]
  ])('gives its boards as much time as before, and is completed: %s', async (_how, ms) => {
    const boards = await boardsOf(3)
    const { fileName, version } = await image()
    const stages = [{ devices: 2, holdMinutes: 60 }, ...all]
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages, atOnce: 6 })
    await wrongBy(ms)
    expect(await rollout(id)).toMatchObject({ state: 'running', counts: { sent: 2, waiting: 1 } })
    await wrongBy(ms, () => prove(boards, version))
    expect(await rollout(id)).toMatchObject({ state: 'running', counts: { done: 2, waiting: 1 } })
    await wrongBy(ms)
    await pass(50 * minuteMs)
    await look()
    expect((await rollout(id)).counts).toEqual({ done: 2, waiting: 1 })
    await pass(15 * minuteMs)
    await look()
    expect((await rollout(id)).counts).toEqual({ done: 2, sent: 1 })
    await prove(boards, version)
    expect(await rollout(id)).toMatchObject({ state: 'done', counts: { done: 3 } })
  })

  test('gives its boards as much time as before, also if the database fails when the clock was set', async () => {
    const boards = await boardsOf(1)
    const { fileName, version } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    await wrongBy(days, async () => {
      const failing = vi.spyOn(app.connection.model<TargetDocument>('RolloutTarget'), 'updateMany')
      failing.mockRejectedValueOnce(new Error('the database does not answer'))
      await app.rollouts.tick()
      failing.mockRestore()
      await look()
    })
    expect(boards[0]?.board.updates).toHaveLength(1)
    await prove(boards, version)
    expect(await rollout(id)).toMatchObject({ state: 'done', counts: { done: 1 } })
  })

  test('sends to a board that waited for an hour of the day', async () => {
    app.clock.set('2030-11-22T06:00:00Z')
    const boards = await boardsOf(1)
    const { fileName } = await image()
    const allowedHours = { from: '12:00', to: '13:00' }
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, allowedHours })
    await wrongBy(days + 6 * hourMs)
    app.clock.set('2030-11-22T06:30:00Z')
    await pass(1)
    await look()
    expect(sentTo(boards)).toEqual([true])
    await end(id)
  })

  test('sends once more to a board that reconnects during that time, and proves it', async () => {
    const boards = await boardsOf(1)
    const { fileName, version } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    await wrongBy(days, async () => {
      boards[0]?.board.disconnect()
      boards[0]?.board.connect()
      await app.settled()
    })
    for (let passes = 0; passes < 3; passes += 1) await look()
    expect(boards[0]?.board.updates).toHaveLength(2)
    await prove(boards, version)
    expect(await rollout(id)).toMatchObject({ state: 'done', counts: { done: 1 } })
  })

  test.each([
    ['before anything was stored', false],
    ['after it was stored', true]
  ])(
    'gives its boards as much time, also if the database fails while that is corrected: %s',
    async (_when, isStored) => {
      const boards = await boardsOf(1)
      const { fileName } = await image()
      const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
      app.clock.step(-days)
      const boardsOfIt = { of: { rolloutId: id }, isStored }
      await withoutAnswer(app, ['RolloutTarget', 'updateMany'], boardsOfIt, () => app.rollouts.tick())
      await look()
      await pass(14 * minuteMs)
      await look()
      expect((await rollout(id)).counts).toEqual({ sent: 1 })
      await pass(2 * minuteMs)
      await look()
      expect(await rollout(id)).toMatchObject({ counts: { failed: 1 }, failures: [{ code: 'no-progress', count: 1 }] })
    }
  )

  test('is completed, also if the database fails once when another instance takes it over', async () => {
    const boards = await boardsOf(1)
    const { fileName, version } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    app.clock.step(days)
    await runs(boards, version)
    await look()
    expect((await rollout(id)).counts).toEqual({ proving: 1 })
    app.clock.step(-days)
    const other = await app.another()
    const itself = { of: { _id: id }, isStored: false }
    await withoutAnswer(other, ['Rollout', 'updateOne'], itself, () => other.rollouts.tick())
    await other.rollouts.tick()
    await pass(3 * minuteMs)
    await other.rollouts.tick()
    await other.rollouts.tick()
    expect(await rollout(id)).toMatchObject({ state: 'done', counts: { done: 1 } })
  })

  test('gives its boards as much time, also if the answer is lost that its own times were moved', async () => {
    const boards = await boardsOf(1)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    app.clock.step(-days)
    const itself = { of: { _id: id }, isStored: true }
    await withoutAnswer(app, ['Rollout', 'updateOne'], itself, () => app.rollouts.tick())
    await look()
    await pass(14 * minuteMs)
    await look()
    expect((await rollout(id)).counts).toEqual({ sent: 1 })
    await end(id)
  })

  test('is held for as long, also if the clock is set again before its boards have followed the first time', async () => {
    const boards = await boardsOf(2)
    const { fileName, version } = await image()
    const stages = [{ devices: 1, holdMinutes: 60 }, ...all]
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages })
    await prove(boards, version)
    app.clock.step(days)
    const boardsOfIt = { of: { rolloutId: id }, isStored: false }
    await withoutAnswer(app, ['RolloutTarget', 'updateMany'], boardsOfIt, () => app.rollouts.tick())
    app.clock.step(-days)
    await look()
    await pass(50 * minuteMs)
    await look()
    expect((await rollout(id)).counts).toEqual({ done: 1, waiting: 1 })
    await pass(15 * minuteMs)
    await look()
    expect((await rollout(id)).counts).toEqual({ done: 1, sent: 1 })
    await end(id)
  })

  /** A rollout to ten boards that all say that they restart, and are gone then. */
  async function restarting() {
    const boards = await boardsOf(10)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 45 })
    await look()
    await look()
    expect(sentTo(boards)).not.toContain(false)
    for (const { id: deviceId, board } of boards)
      app.broker.say(`d/${deviceId}/up/firmware-progress`, { id: board.updates[0]?.id, phase: 'reboot', percent: 100 })
    await expect.poll(async () => (await rollout(id)).counts).toEqual({ reboot: 10 })
    return { id, leave: () => boards.forEach(({ board }) => board.disconnect()) }
  }

  test('does not pause because it is set forward while boards restart', async () => {
    const { id, leave } = await restarting()
    leave()
    await pass(10_000)
    app.clock.step(hourMs)
    await look()
    expect(await rollout(id)).toMatchObject({ state: 'running', paused: null })
    await pass(6 * minuteMs)
    await look()
    expect(await rollout(id)).toMatchObject({ state: 'paused', paused: { by: 'silence', failed: 10 } })
    await end(id)
  })

  test('pauses when boards that were lost while it was ahead stay away after it was set back', async () => {
    const { id, leave } = await restarting()
    await wrongBy(days, async () => {
      leave()
      await look()
    })
    expect(await rollout(id)).toMatchObject({ state: 'running', paused: null })
    await pass(6 * minuteMs)
    await look()
    expect(await rollout(id)).toMatchObject({ state: 'paused', paused: { by: 'silence', failed: 10 } })
    await end(id)
  })

  test('is continued by another instance if its own was killed meanwhile', async () => {
    const boards = await boardsOf(2)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 1 })
    app.clock.step(days)
    await look()
    app.clock.step(-days)
    const other = await app.another()
    await other.rollouts.tick()
    const jobs = boards.flatMap(({ board }) => board.updates.map((update) => update.id))
    expect([jobs.length, new Set(jobs).size]).toEqual([2, 1])
    await end(id)
  })

  test('is completed in its time if its own instance, which was half an hour ahead, was killed', async () => {
    const boards = await boardsOf(1)
    const { fileName, version } = await image()
    app.clock.step(30 * minuteMs)
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    await runs(boards, version)
    await look()
    expect((await rollout(id)).counts).toEqual({ proving: 1 })
    app.clock.step(-30 * minuteMs)
    const other = await app.another()
    for (const ms of [0, 10_000, 3 * minuteMs]) {
      await pass(ms)
      await other.rollouts.tick()
    }
    expect((await rollout(id)).counts).toEqual({ done: 1 })
    await end(id)
  })
})
