import type { RolloutTarget } from '@batti/contracts'
import { afterAll, describe, expect, test } from 'vitest'
import { all, idsOf, startRollouts } from '../../testing/rollouts-by-hand.ts'
import { createStaffNotices } from './engine/staff-notices.ts'
import type { RolloutDocument } from './rollout.model.ts'
import { createRolloutsRepository } from './rollouts.repository.ts'
import type { TargetDocument } from './targets/target.model.ts'
import { createTargetsRepository } from './targets/targets.repository.ts'

const { app, admin, image, boardsOf, start, end } = await startRollouts()
afterAll(() => app.stop())

describe('screens are told of a rollout', () => {
  test('that is paused and resumed', async () => {
    const boards = await boardsOf(1)
    const { fileName } = await image()
    const received: { id: string }[] = []
    const off = app.events.on('rollout-notice', (event) => void received.push(event))
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    // One of another rollout may come last.
    const isTold = () => received.splice(0).some((event) => event.id === id)
    for (const state of ['paused', 'running', 'cancelled']) {
      // The previous message was sent, so that the next is not combined with it.
      await expect.poll(isTold).toBe(true)
      expect((await app.call('PATCH', `/rollouts/${id}`, admin, { state })).statusCode).toBe(200)
    }
    await expect.poll(isTold).toBe(true)
    expect(app.logged()).not.toContain('could not be sent')
    off()
  })

  test('that is new, before the engine has looked at it', async () => {
    const { fileName } = await image()
    const received: { id: string }[] = []
    const off = app.events.on('rollout-notice', (event) => void received.push(event))
    const body = { fileName, target: { deviceIds: idsOf(await boardsOf(1)) }, stages: all }
    const made = await app.call('POST', '/rollouts', admin, body)
    await expect
      .poll(() => received.filter(({ id }) => id === made.data._id))
      .toEqual([{ id: made.data._id, counts: { waiting: 1 } }])
    off()
    await end(made.data._id)
  })

  // Screens ask for the state only if the notice names no board.
  test('whose state changes in the moment in which one of its boards goes on', async () => {
    const boards = await boardsOf(1)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    const model = app.connection.model<RolloutDocument>('Rollout')
    const target = await app.connection.model<TargetDocument>('RolloutTarget').findOne({ rolloutId: id }).lean()
    const rollout = await model.findById(id).lean()
    if (target === null || rollout === null) throw new Error('no rollout')
    const received: object[] = []
    const notices = createStaffNotices({
      rollouts: { findCancelled: async () => [] },
      targets: { counts: async () => new Map([[id, { sent: 1 }]]) },
      log: { warn: () => undefined },
      notifyStaff: (event) => void received.push(event)
    })
    notices.notify(rollout)
    notices.notify(rollout, target)
    await expect.poll(() => received).toEqual([{ id, counts: { sent: 1 } }])
    await end(id)
  })

  test('also if it could not be counted the first time', async () => {
    const boards = await boardsOf(1)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    const targets = createTargetsRepository(app.connection.model<TargetDocument>('RolloutTarget'))
    const received: object[] = []
    let asked = 0
    const notices = createStaffNotices({
      rollouts: { findCancelled: async () => [] },
      targets: { counts: async (ids) => ((asked += 1) === 1 ? Promise.reject(new Error()) : targets.counts(ids)) },
      log: { warn: () => undefined },
      notifyStaff: (event) => void received.push(event)
    })
    const rollouts = createRolloutsRepository(app.connection.model<RolloutDocument>('Rollout'), (changed) =>
      notices.notify(changed)
    )
    await rollouts.change(id, ['running'], { $set: { state: 'cancelled' } })
    await expect.poll(() => received).toEqual([{ id, counts: { sent: 1 } }])
  })

  test('is reported to screens at most four times a second, with the changed board by name', async () => {
    const boards = await boardsOf(3)
    const { fileName } = await image()
    const received: { counts: object; target?: RolloutTarget }[] = []
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 15 })
    const off = app.events.on('rollout-notice', (event) => void (event.id === id && received.push(event as never)))
    const from = performance.now()
    for (let percent = 1; percent <= 60; percent += 1) {
      for (const { id: deviceId, board } of boards) {
        const job = board.updates[0]?.id ?? ''
        app.broker.say(`d/${deviceId}/up/firmware-progress`, { id: job, phase: 'download', percent })
      }
      app.clock.advance(1000)
      await app.settled()
    }
    await expect.poll(() => received.at(-1)?.counts).toEqual({ download: 3 })
    expect(received.length).toBeLessThanOrEqual((performance.now() - from) / 250 + 2)
    const [first] = boards
    let percent = 60
    const tellOne = () => {
      app.clock.advance(1000)
      const job = first?.board.updates[0]?.id
      app.broker.say(`d/${first?.id}/up/firmware-progress`, { id: job, phase: 'download', percent: (percent += 1) })
      return received.at(-1)?.target
    }
    await expect.poll(tellOne, { interval: 300 }).toMatchObject({ deviceId: first?.id, phase: 'download' })
    off()
    await end(id)
  })
})
