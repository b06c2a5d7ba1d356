import { minuteMs } from '@batti/kit/durations'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { all, idsOf, sentTo, startRollouts } from '../../testing/rollouts-by-hand.ts'
import type { AddedDevice } from '../../testing/test-api.ts'
import { createBoardsRepository } from './boards.repository.ts'
import { createEngine, type EngineOptions } from './engine/engine.ts'
import { createTakeProgress } from './engine/take-progress.ts'
import type { RolloutDocument } from './rollout.model.ts'
import { createRolloutsRepository } from './rollouts.repository.ts'
import type { TargetDocument } from './targets/target.model.ts'
import { createTargetsRepository } from './targets/targets.repository.ts'

const { app, admin, image, boardsOf, runs, pass, look, start, rollout, end } = await startRollouts()
afterAll(() => app.stop())

/** What a board says; its progress is that of the first update it was sent. */
function tellsOf({ id, board }: AddedDevice) {
  const say = (name: string, payload: object): void => app.broker.say(`d/${id}/up/${name}`, payload)
  const progress = (phase: string): void => say('firmware-progress', { id: board.updates[0]?.id, phase, percent: 0 })
  return { board, say, progress }
}

describe('a rollout', () => {
  test('is taken over if its instance is gone: the same jobs are sent again, and each board is updated once', async () => {
    const boards = await boardsOf(3)
    const { fileName, version } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 6 })
    expect((await rollout(id)).counts).toEqual({ sent: 2, waiting: 1 })
    const other = await app.another()
    await other.rollouts.tick()
    expect((await rollout(id)).counts).toEqual({ sent: 2, waiting: 1 })
    // The lease of the first has expired, as when no process renews it.
    await pass(10_000)
    await other.rollouts.tick()
    await other.rollouts.tick()
    expect((await rollout(id)).counts).toEqual({ sent: 3 })
    expect(boards.map(({ board }) => new Set(board.updates.map((update) => update.id)).size)).toEqual([1, 1, 1])
    expect(boards.map(({ board }) => board.updates.length).toSorted((a, b) => a - b)).toEqual([1, 2, 2])
    await runs(boards, version)
    await pass(2000)
    await other.rollouts.tick()
    await pass(3 * minuteMs)
    await other.rollouts.tick()
    expect(await rollout(id)).toMatchObject({ state: 'done', counts: { done: 3 } })
  })

  test('is sent again to boards that reconnected after the broker restarted and were not counted as offline', async () => {
    const boards = await boardsOf(2)
    const { fileName } = await image()
    app.broker.down()
    app.broker.up()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 6 })
    expect((await rollout(id)).counts).toEqual({ sent: 2 })
    expect(sentTo(boards)).toEqual([false, false])
    for (const { board } of boards) board.connect()
    await app.settled()
    await app.rollouts.tick()
    await app.rollouts.tick()
    expect(boards.map(({ board }) => board.updates.length)).toEqual([1, 1])
    await end(id)
  })

  test('goes on at once with a board that comes online while the api starts', async () => {
    const { app: first, ...by } = await startRollouts()
    onTestFinished(() => first.stop())
    const boards = await by.boardsOf(1)
    const { fileName } = await by.image()
    for (const { board } of boards) board.disconnect()
    await first.settled()
    const id = await by.start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    expect((await by.rollout(id)).counts).toEqual({ waiting: 1 })
    await first.link.stop()
    const restarted = await first.another()
    for (const { board } of boards) board.connect()
    await restarted.settled()
    first.clock.advance(10_000)
    await restarted.rollouts.tick()
    expect(sentTo(boards)).toEqual([true])
  })

  test.each(['install', 'reboot'])(
    'keeps a board in %s from commands as soon as another api serves them',
    async (phase) => {
      const owner = app.person()
      const boards = await boardsOf(1, owner)
      const { fileName } = await image()
      const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
      for (const { id: deviceId, board } of boards) {
        const job = board.updates[0]?.id
        app.broker.say(`d/${deviceId}/up/firmware-progress`, { id: job, phase, percent: 0 })
        await app.settled()
        const other = await app.another()
        const { data } = await other.call('GET', `/switches/by-device/${deviceId}/0`, owner)
        expect((await other.call('PATCH', `/switches/by-id/${data._id}`, owner, { status: true })).code).toBe(
          'CONFLICT'
        )
      }
      await end(id)
    }
  )

  test('whose board lost its power in the download is no rollback because the report of its start is late', async () => {
    const boards = await boardsOf(1)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    for (const { board, say, progress } of boards.map(tellsOf)) {
      const bootId = 'after-the-cut'
      progress('download')
      say('status', { online: true, bootId, conn: 2 })
      await pass(2000)
      await look()
      expect(board.updates).toHaveLength(2)
      // Before the next look it has reported, and has the image.
      board.report({ bootId, seq: 1, cause: 'boot', osVersion: '1.0.0' })
      progress('install')
    }
    await app.settled()
    await look()
    expect((await rollout(id)).counts).toEqual({ install: 1 })
    await end(id)
  })

  test('whose board lost its power in the download, and goes on by itself, is no rollback while it installs', async () => {
    const boards = await boardsOf(1)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    for (const { board, say, progress } of boards.map(tellsOf)) {
      const starts = (bootId: string) => {
        say('status', { online: true, bootId, conn: 1 })
        board.report({ bootId, seq: 1, cause: 'boot', osVersion: '1.0.0' })
      }
      progress('download')
      starts('after-the-cut')
      progress('install')
      progress('reboot')
      say('status', { online: false })
      await app.settled()
      await look()
      expect((await rollout(id)).counts).toEqual({ reboot: 1 })
      starts('of-the-old-version')
      await pass(2000)
      await look()
      expect((await rollout(id)).counts).toEqual({ 'rolled-back': 1 })
    }
    await end(id)
  })

  test('that was cancelled sends nothing again: boards that have lost its job are free, others go on loading', async () => {
    const boards = await boardsOf(3)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 9 })
    const [restarted, unsure, loading] = boards
    const say = (device: AddedDevice | undefined, name: string, payload: object) =>
      app.broker.say(`d/${device?.id}/up/${name}`, payload)
    for (const device of [restarted, loading])
      say(device, 'firmware-progress', { id: device?.board.updates[0]?.id, phase: 'download', percent: 10 })
    await app.settled()
    await end(id)
    say(restarted, 'status', { online: true, bootId: 'after-the-cut', conn: 1 })
    for (const device of [unsure, loading]) {
      device?.board.disconnect()
      device?.board.connect()
    }
    await pass(2000)
    await look()
    expect((await rollout(id)).counts).toEqual({ skipped: 2, download: 1 })
    expect([restarted, unsure].map((device) => device?.board.updates.length)).toEqual([1, 1])
  })

  test('that was cancelled does not wait for boards that went before the installation: they are free after five minutes', async () => {
    const boards = await boardsOf(2)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 6 })
    const [, installing] = boards
    const progress = { id: installing?.board.updates[0]?.id, phase: 'install', percent: 0 }
    app.broker.say(`d/${installing?.id}/up/firmware-progress`, progress)
    await app.settled()
    await end(id)
    for (const { board } of boards) board.disconnect()
    await pass(4 * minuteMs)
    await look()
    expect((await rollout(id)).counts).toEqual({ sent: 1, install: 1 })
    await pass(minuteMs)
    await look()
    expect((await rollout(id)).counts).toEqual({ skipped: 1, install: 1 })
    const next = { fileName: (await image()).fileName, target: { deviceIds: idsOf(boards) } }
    const preview = await app.call('POST', '/rollouts/preview', admin, next)
    expect(preview.data).toMatchObject({ total: 1, excluded: [{ reason: 'busy', count: 1 }] })
  })

  test('that was cancelled is taken over without sending its jobs again', async () => {
    const boards = await boardsOf(1)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    await end(id)
    const other = await app.another()
    await pass(10_000)
    await other.rollouts.tick()
    expect((await rollout(id)).counts).toEqual({ sent: 1 })
    expect(boards.map(({ board }) => board.updates.length)).toEqual([1])
  })

  test('is not over while a board that reported during the pass is restarting', async () => {
    const boards = await boardsOf(1)
    const { fileName, version } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    await runs(boards, version)
    await pass(10_000)
    const now = () => app.clock.now()
    const rollouts = createRolloutsRepository(app.connection.model<RolloutDocument>('Rollout'), () => undefined)
    const targets = createTargetsRepository(app.connection.model<TargetDocument>('RolloutTarget'))
    const { findByIds } = createBoardsRepository(
      app.models.devices,
      async () => ({}),
      () => undefined
    )
    const takeProgress = createTakeProgress({ targets, now, monotonic: now })
    const engine = createEngine({
      rollouts,
      targets,
      boards: {
        async findByIds(ids: readonly string[]) {
          const job = boards[0]?.board.updates[0]?.id ?? ''
          await takeProgress(boards[0]?.id ?? '', { id: job, phase: 'done', percent: 100 }, 'boot')
          return findByIds(ids)
        }
      },
      proveMs: 2 * minuteMs,
      now,
      monotonic: now,
      isLinkUp: () => true,
      notify: () => undefined,
      superviseRollout: async (leased: RolloutDocument) => leased,
      continueRetries: async (leased: RolloutDocument) => leased
    } as unknown as EngineOptions)
    await engine.drive((await rollouts.findById(id)) as RolloutDocument)
    expect(await rollout(id)).toMatchObject({ state: 'running', counts: { reboot: 1 } })
    await look()
    await pass(3 * minuteMs)
    await look()
    expect(await rollout(id)).toMatchObject({ state: 'done', counts: { done: 1 } })
  })
})
