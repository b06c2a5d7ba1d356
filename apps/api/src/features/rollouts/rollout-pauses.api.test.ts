import { hourMs, minuteMs } from '@batti/kit/durations'
import { afterAll, describe, expect, test } from 'vitest'
import { all, idsOf, sentTo, startRollouts } from '../../testing/rollouts-by-hand.ts'
import type { AddedDevice } from '../../testing/test-api.ts'

const { app, admin, image, boardsOf, pass, look, start, rollout, end, prove } = await startRollouts()
afterAll(() => app.stop())

describe('a rollout pauses itself', () => {
  test('when more than a tenth of the updated boards fall silent, and says how many of how many', async () => {
    const boards = await boardsOf(10)
    const { fileName, version } = await image()
    const id = await start({
      fileName,
      target: { deviceIds: idsOf(boards) },
      stages: [{ percent: 90 }, ...all],
      atOnce: 45
    })
    expect(sentTo(boards).filter(Boolean)).toHaveLength(9)
    await prove(boards, version)
    expect((await rollout(id)).counts).toEqual({ done: 9, waiting: 1 })
    const silent = boards.filter(({ board }) => board.updates.length > 0).slice(0, 2)
    for (const { board } of silent) board.disconnect()
    await app.settled()
    await pass(4 * minuteMs)
    await look()
    expect(await rollout(id)).toMatchObject({ state: 'running', paused: null })
    await pass(2 * minuteMs)
    await look()
    expect(await rollout(id)).toMatchObject({
      state: 'paused',
      paused: { by: 'silence', tried: 9, failed: 2, limit: 10, at: expect.any(String) }
    })
    await end(id)
  })

  describe('when boards with the new version do worse than those with the previous one', () => {
    /** A rollout whose first stage has updated half of its boards, and is held for a week. */
    async function halfUpdated(count: number) {
      const boards = await boardsOf(count)
      const { fileName, version } = await image()
      const id = await start({
        fileName,
        target: { deviceIds: idsOf(boards) },
        stages: [{ devices: count / 2, holdMinutes: 10_080 }, ...all],
        atOnce: 105
      })
      await prove(boards, version)
      expect((await rollout(id)).counts).toEqual({ done: count / 2, waiting: count / 2 })
      return { id, updated: boards.filter(({ board }) => board.updates.length > 0) }
    }
    /** Time passes, and these boards lose their connection each hour. */
    async function live(minutes: number, worse: readonly AddedDevice[]) {
      for (let passed = 0; passed < minutes; passed += 15) {
        if (passed % 60 === 0) {
          for (const { board } of worse) {
            board.disconnect()
            board.connect()
          }
        }
        await pass(15 * minuteMs)
        await app.rollouts.tick()
      }
    }

    test('after ten hours; after a resume the comparison starts over', async () => {
      const { id, updated } = await halfUpdated(42)
      await live(9 * 60, updated)
      expect(await rollout(id)).toMatchObject({ state: 'running', paused: null })
      await live(2 * 60, updated)
      expect(await rollout(id)).toMatchObject({ state: 'paused', paused: { by: 'regression', tried: 21, limit: 100 } })
      await pass(3 * hourMs)
      await app.call('PATCH', `/rollouts/${id}`, admin, { state: 'running' })
      await live(2 * 60, [])
      expect(await rollout(id)).toMatchObject({ state: 'running', paused: null })
      await live(10 * 60, updated)
      expect(await rollout(id)).toMatchObject({ state: 'paused', paused: { by: 'regression' } })
      await end(id)
    })

    test('also while another rollout is running', async () => {
      const first = await halfUpdated(2)
      const second = await halfUpdated(42)
      await live(11 * 60, second.updated)
      expect(await rollout(first.id)).toMatchObject({ state: 'running' })
      expect(await rollout(second.id)).toMatchObject({ state: 'paused', paused: { by: 'regression' } })
      await end(first.id)
      await end(second.id)
    })
  })
})
