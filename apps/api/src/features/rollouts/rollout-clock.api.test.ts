import { hourMs, minuteMs } from '@batti/kit/durations'
import { randomBytes } from 'node:crypto'
import type { RolloutRecord, RolloutTarget } from '@batti/contracts'
import { Types } from 'mongoose'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Actor } from '../../platform/people/actor.ts'
import { startApi, type AddedDevice, type TestApi } from '../../testing/test-api.ts'
import type { TestInstance } from '../../testing/test-instance.ts'
import { createBoardsRepository } from './boards.repository.ts'
import { boardsLeftOpen } from '../../migrations/0003-boards-left-open.ts'
import { createEngine, type EngineOptions } from './engine/engine.ts'
import type { RolloutDocument } from './rollout.model.ts'
import { createRolloutsRepository } from './rollouts.repository.ts'
import { createStaffNotices } from './engine/staff-notices.ts'
import { createTakeProgress } from './engine/take-progress.ts'
import type { TargetDocument } from './targets/target.model.ts'
import { createTargetsRepository } from './targets/targets.repository.ts'

// Rules that need hours: the test runs each pass of the engine, on a clock that it moves.
const all = [{ percent: 100 }]

let app: TestApi
let admin: Actor
let owner: Actor
beforeAll(async () => {
  app = await startApi({ at: '2026-11-20T06:00:00Z', env: { LIMIT_DEVICES: '0' } })
  admin = app.person('admin')
})
afterAll(() => app.stop())
beforeEach(() => {
  owner = app.person()
})

let images = 0
async function image(): Promise<{ fileName: string; version: string }> {
  const version = `2.0.${(images += 1)}`
  const fileName = `wall-${version}.bin`
  const form = new FormData()
  form.append('firmware', new Blob([new Uint8Array(randomBytes(1000))]), fileName)
  const answer = await app.call('POST', '/device-firmware-files', admin, form)
  expect(answer.statusCode, answer.message).toBe(201)
  return { fileName, version }
}

async function boardsOf(count: number): Promise<AddedDevice[]> {
  const made: AddedDevice[] = []
  for (let index = 0; index < count; index += 1) made.push(await app.device(owner))
  await runs(made, '1.0.0')
  return made
}
/** The versions that the boards report, as soon as they are stored. */
async function runs(boards: AddedDevice[], osVersion: string): Promise<void> {
  for (const { board } of boards) board.report({ cause: 'resync', osVersion })
  await app.settled()
}
/** Time passes, and every online board continues to report. */
async function pass(ms: number): Promise<void> {
  app.clock.advance(ms)
  app.broker.heartbeat()
  await app.settled()
}
const idsOf = (boards: AddedDevice[]): string[] => boards.map(({ id }) => id)
/** Runs a pass of the engine, and another one when its results are stored. */
async function look(): Promise<void> {
  await app.rollouts.tick()
  await pass(2000)
  await app.rollouts.tick()
}
async function start(body: object): Promise<string> {
  const made = await app.call('POST', '/rollouts', admin, body)
  expect(made.statusCode, made.message).toBe(201)
  await look()
  return made.data._id
}
const rollout = async (id: string) => (await app.call('GET', `/rollouts/${id}`, admin)).data as RolloutRecord
const end = (id: string) => app.call('PATCH', `/rollouts/${id}`, admin, { state: 'cancelled' })
const sentTo = (boards: AddedDevice[]): boolean[] => boards.map(({ board }) => board.updates.length > 0)

/** All boards that were sent the update run it, and are proved. */
async function prove(boards: AddedDevice[], version: string): Promise<void> {
  await runs(
    boards.filter(({ board }) => board.updates.length > 0),
    version
  )
  await look()
  await pass(3 * minuteMs)
  await look()
}

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
    }, 120_000)

    test('also while another rollout is running', async () => {
      const first = await halfUpdated(42)
      const second = await halfUpdated(42)
      await live(11 * 60, second.updated)
      expect(await rollout(first.id)).toMatchObject({ state: 'running' })
      expect(await rollout(second.id)).toMatchObject({ state: 'paused', paused: { by: 'regression' } })
      await end(first.id)
      await end(second.id)
    }, 120_000)
  })
})

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
    for (const [at, isSent] of [
      ['2026-11-22T17:14:00Z', false],
      ['2026-11-22T17:16:00Z', true]
    ] as const) {
      app.clock.set(at)
      await pass(1)
      await look()
      expect(sentTo(boards), at).toEqual([isSent])
    }
    await end(id)
  })

  test('of the night sends from one to five by the clock of each board', async () => {
    app.clock.set('2026-11-23T06:00:00Z')
    const boards = await boardsOf(1)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, updateWhen: 'night' })
    // Kathmandu is five hours and three quarters ahead.
    for (const [at, isSent] of [
      ['2026-11-23T19:14:00Z', false],
      ['2026-11-23T19:16:00Z', true]
    ] as const) {
      app.clock.set(at)
      await pass(1)
      await look()
      expect(sentTo(boards), at).toEqual([isSent])
    }
    await end(id)
  })

  test('pauses when its file is withdrawn, and sends to no more boards', async () => {
    const boards = await boardsOf(2)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 1 })
    expect(sentTo(boards).filter(Boolean)).toHaveLength(1)
    await app.call('PATCH', `/device-firmware-files/${fileName}`, admin, { state: 'withdrawn' })
    await prove(boards, 'any')
    await look()
    expect(await rollout(id)).toMatchObject({ state: 'paused', paused: { by: 'staff' } })
    expect(sentTo(boards).filter(Boolean)).toHaveLength(1)
    await end(id)
  })

  test('pauses when its file is withdrawn during the pass that would send it, and fails no board', async () => {
    const boards = await boardsOf(2)
    const { fileName, version } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 1 })
    const files = app.connection.model('FirmwareFile')
    const find = files.find.bind(files)
    const withdraw = vi.fn<() => Promise<void>>(() =>
      app.call('PATCH', `/device-firmware-files/${fileName}`, admin, { state: 'withdrawn' }).then(() => undefined)
    )
    // The pass has found the file released, and reads what leads to it for this board.
    const held = vi.spyOn(files, 'find').mockImplementationOnce((...args: Parameters<typeof find>) => {
      const query = find(...args)
      const exec = query.exec.bind(query)
      query.exec = async () => {
        await withdraw()
        return exec()
      }
      return query
    })
    await prove(boards, version)
    await look()
    held.mockRestore()
    expect(withdraw).toHaveBeenCalledOnce()
    expect(await rollout(id)).toMatchObject({ state: 'paused', counts: { done: 1, waiting: 1 } })
    expect(sentTo(boards).filter(Boolean)).toHaveLength(1)
    await end(id)
  })

  test('that follows the filter pauses when its file is withdrawn, before boards that come later are sent it', async () => {
    const boards = await boardsOf(1)
    const { fileName, version } = await image()
    const target = { filter: { userId: owner.userId } }
    const id = await start({ fileName, target, stages: all, follow: true })
    await prove(boards, version)
    expect(await rollout(id)).toMatchObject({ state: 'running', counts: { done: 1 } })
    await app.call('PATCH', `/device-firmware-files/${fileName}`, admin, { state: 'withdrawn' })
    await look()
    expect(await rollout(id)).toMatchObject({ state: 'paused', paused: { by: 'staff' } })
    await end(id)
  })

  test('that asks is not continued with a file that was withdrawn', async () => {
    const boards = await boardsOf(2)
    const { fileName, version } = await image()
    const stages = [{ devices: 1, holdMinutes: 0, then: 'ask' }, ...all]
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages })
    await prove(boards, version)
    expect((await rollout(id)).state).toBe('asking')
    const resume = async () => (await app.call('PATCH', `/rollouts/${id}`, admin, { state: 'running' })).statusCode
    for (const [state, expected] of [
      ['withdrawn', 409],
      ['released', 200]
    ] as const) {
      await app.call('PATCH', `/device-firmware-files/${fileName}`, admin, { state })
      expect(await resume()).toBe(expected)
    }
    await end(id)
  })

  test('that is done does not send another file under the name of its own, which was deleted', async () => {
    const boards = await boardsOf(1)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    const [lamp] = boards
    const failed = { id: lamp?.board.updates[0]?.id, phase: 'failed', percent: 0 }
    app.broker.say(`d/${lamp?.id}/up/firmware-progress`, failed)
    await app.settled()
    await pass(10_000)
    await look()
    expect(await rollout(id)).toMatchObject({ state: 'done', counts: { failed: 1 } })
    const retry = async () => (await app.call('POST', `/rollouts/${id}/retry`, admin, {})).statusCode
    await app.call('DELETE', `/device-firmware-files/${fileName}`, admin)
    expect(await retry()).toBe(409)
    images -= 1
    expect((await image()).fileName).toBe(fileName)
    expect(await retry()).toBe(409)
    expect((await app.call('PATCH', `/rollouts/${id}`, admin, { state: 'running' })).statusCode).toBe(409)
    expect((await rollout(id)).counts).toEqual({ failed: 1 })
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
    const boards = await boardsOf(3)
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

  test('whose board lost its power in the download is no rollback because the report of its start is late', async () => {
    const boards = await boardsOf(1)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    for (const { id: deviceId, board } of boards) {
      const say = (name: string, payload: object) => app.broker.say(`d/${deviceId}/up/${name}`, payload)
      const progress = (phase: string) => say('firmware-progress', { id: board.updates[0]?.id, phase, percent: 0 })
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
          await takeProgress(boards[0]?.id ?? '', { id: job, phase: 'done', percent: 100 })
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

  test('keeps the files that it sends as intermediate versions', async () => {
    const boards = await boardsOf(2)
    const [first, second, unneeded, wanted] = [await image(), await image(), await image(), await image()]
    for (const [file, min] of [
      [second, first.version],
      [unneeded, wanted.version],
      [wanted, second.version]
    ] as const)
      await app.call('PATCH', `/device-firmware-files/${file.fileName}`, admin, { from: { min } })
    const body = { fileName: wanted.fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 1 }
    const id = await start(body)
    const remove = async ({ fileName }: { fileName: string }): Promise<number> =>
      (await app.call('DELETE', `/device-firmware-files/${fileName}`, admin)).statusCode
    for (const file of [first, second, wanted]) expect(await remove(file)).toBe(409)
    expect(await remove(unneeded)).toBe(200)
    // A withdrawn file cannot be sent any more, but one board has it in progress.
    await app.call('PATCH', `/device-firmware-files/${first.fileName}`, admin, { state: 'withdrawn' })
    expect([await remove(first), await remove(second)]).toEqual([409, 200])
    await end(id)
  })

  test('releases its file when its last board is being proved, and is done, for each board too, after that', async () => {
    const boards = await boardsOf(2)
    const { fileName, version } = await image()
    const remove = async () => (await app.call('DELETE', `/device-firmware-files/${fileName}`, admin)).statusCode
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 1 })
    for (const _each of boards) {
      expect(await remove()).toBe(409)
      await runs(
        boards.filter(({ board }) => board.updates.length > 0),
        version
      )
      await look()
    }
    const happened = async () => {
      await app.fleet.sweep()
      const { data } = await app.call('GET', `/devices/${boards[0]?.id}/events?kind=firmware`, admin)
      return (data.events as { detail: string }[]).map(({ detail }) => detail)
    }
    await pass(10_000)
    await look()
    expect((await rollout(id)).counts).toEqual({ proving: 2 })
    expect(await happened()).toEqual([])
    expect(await remove()).toBe(200)
    await look()
    await pass(3 * minuteMs)
    await look()
    expect(await rollout(id)).toMatchObject({ state: 'done', counts: { done: 2 } })
    await expect.poll(happened).toEqual(['done'])
  })

  test('that waits for idle boards sends when no lamp is on', async () => {
    const boards = await boardsOf(1)
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
})

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
})

describe('a board', () => {
  const statusOf = async (answers: Promise<{ statusCode: number }>[]): Promise<number[]> =>
    (await Promise.all(answers)).map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)

  test('is updated once by hand, however often that is requested before anything was sent', async () => {
    const [lamp] = await boardsOf(1)
    const [first, second] = [await image(), await image()]
    const ask = ({ fileName }: { fileName: string }, by: TestInstance = app) =>
      by.call('POST', '/update-device-firmware', admin, { deviceId: lamp?.id, fileName })
    const other = await app.another()
    expect(await statusOf([ask(first), ask(second), ask(first, other), ask(second, other)])).toEqual([
      200, 409, 409, 409
    ])
    expect((await ask(second)).code).toBe('CONFLICT')
    await look()
    expect(lamp?.board.updates).toHaveLength(1)
  })

  test('that has failed releases its file before the next pass', async () => {
    const [lamp] = await boardsOf(1)
    const { fileName } = await image()
    await app.call('POST', '/update-device-firmware', admin, { deviceId: lamp?.id, fileName })
    await look()
    const remove = async () => (await app.call('DELETE', `/device-firmware-files/${fileName}`, admin)).statusCode
    expect(await remove()).toBe(409)
    const failed = { id: lamp?.board.updates[0]?.id, phase: 'failed', percent: 0 }
    app.broker.say(`d/${lamp?.id}/up/firmware-progress`, failed)
    await app.settled()
    expect((await app.call('GET', `/devices/${lamp?.id}`, admin)).data.firmware).toBeNull()
    expect(await remove()).toBe(200)
  })

  test('that refuses other settings during its update has not refused that', async () => {
    const boards = await boardsOf(1)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all })
    boards[0]?.board.report({ cause: 'config', result: 'rejected', reason: 'unknown zone', configRev: 0 })
    await app.settled()
    const { targets } = (await app.call('GET', `/rollouts/${id}/targets`, admin)).data
    expect(targets).toMatchObject([{ phase: 'sent', error: null }])
    await end(id)
  })

  test('that repeats the same progress fails like one that says nothing', async () => {
    const [lamp] = await boardsOf(1)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: [lamp?.id] }, stages: all })
    const repeat = async () => {
      const said = { id: lamp?.board.updates[0]?.id, phase: 'verify', percent: 40 }
      app.broker.say(`d/${lamp?.id}/up/firmware-progress`, said)
      await expect.poll(async () => (await rollout(id)).counts).toEqual({ verify: 1 })
    }
    await repeat()
    await pass(14 * minuteMs)
    await look()
    await repeat()
    await pass(2 * minuteMs)
    await look()
    expect(await rollout(id)).toMatchObject({ counts: { failed: 1 }, failures: [{ code: 'no-progress', count: 1 }] })
  })

  test('that connects anew again and again without any progress gives up its place, and one with progress keeps it', async () => {
    const boards = await boardsOf(2)
    const [stuck, slow] = boards
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, maxFailurePercent: 100 })
    await look()
    expect(sentTo(boards)).toEqual([true, true])
    for (let times = 1; times <= 6; times += 1) {
      await pass(10 * minuteMs)
      for (const { board } of boards) {
        board.disconnect()
        board.connect()
      }
      await look()
      const said = { id: slow?.board.updates[0]?.id, phase: 'download', percent: times }
      app.broker.say(`d/${slow?.id}/up/firmware-progress`, said)
      await app.settled()
    }
    expect(await rollout(id)).toMatchObject({ counts: { failed: 1, download: 1 } })
    expect(stuck?.board.updates).toHaveLength(5)
    expect(slow?.board.updates).toHaveLength(7)
    await end(id)
  })

  test('that waits for its turn in a rollout may be updated by hand', async () => {
    const boards = await boardsOf(2)
    const { fileName } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 1 })
    const update = (isSent: boolean) => {
      const deviceId = boards.find(({ board }) => board.updates.length > 0 === isSent)?.id
      return app.call('POST', '/update-device-firmware', admin, { deviceId, fileName })
    }
    expect([(await update(true)).statusCode, (await update(false)).statusCode]).toEqual([409, 200])
    await end(id)
  })

  test.each([
    ['/rollouts', (target: object, fileName: string) => ({ fileName, target, stages: all })],
    ['/bulk/devices', (target: object) => ({ ...target, set: { activeColor: 'red' } })]
  ])('is in one rollout of several that are created at once by %s', async (path, bodyOf) => {
    const boards = await boardsOf(3)
    const { fileName } = await image()
    const other = await app.another()
    const made = [app, other, app].map((by) =>
      by.call('POST', path, admin, bodyOf({ deviceIds: idsOf(boards) }, fileName))
    )
    expect(await statusOf(made)).toEqual([201, 409, 409])
  })

  test('that joins late is in one rollout, also if another is created at that moment', async () => {
    const person = owner
    await boardsOf(1)
    const [first, second] = [await image(), await image()]
    const body = { stages: all, maxFailurePercent: 100 }
    const target = { filter: { userId: person.userId } }
    const following = await start({ ...body, fileName: first.fileName, target, follow: true })
    const late = await boardsOf(6)
    await pass(10_000)
    const ask = (boards: AddedDevice[]) =>
      app.call('POST', '/rollouts', admin, { ...body, fileName: second.fileName, target: { deviceIds: idsOf(boards) } })
    const [, ...answers] = await Promise.all([app.rollouts.tick(), ...late.slice(3).map((board) => ask([board]))])
    await pass(10_000)
    await look()
    const made = answers.flatMap(({ statusCode, data }) => (statusCode === 201 ? [data._id as string] : []))
    const totals = await Promise.all([following, ...made].map(async (id) => (await rollout(id)).total))
    expect(totals.reduce((sum, total) => sum + total, 0)).toBe(7)
    expect(Object.values((await rollout(following)).counts).reduce((sum, count) => sum + count, 0)).toBe(totals[0])
    for (const id of [following, ...made]) await end(id)
  })

  test('that is in another rollout by now is not retried', async () => {
    const boards = await boardsOf(2)
    const { fileName } = await image()
    const body = { fileName, target: { deviceIds: idsOf(boards) }, stages: all, maxFailurePercent: 100 }
    const id = await start(body)
    for (const { id: deviceId, board } of boards)
      app.broker.say(`d/${deviceId}/up/firmware-progress`, { id: board.updates[0]?.id, phase: 'failed', percent: 0 })
    await app.settled()
    const another = await start({ ...body, target: { deviceIds: [boards[0]?.id] } })
    const retry = (which: object) => app.call('POST', `/rollouts/${id}/retry`, admin, which)
    expect(await retry({ deviceIds: [boards[0]?.id] })).toMatchObject({ statusCode: 409, code: 'CONFLICT' })
    expect((await retry({})).data.counts).toEqual({ failed: 1, waiting: 1 })
    await end(another)
    await end(id)
  })

  test('that was left in a rollout which has ended may be updated after the next start', async () => {
    const [lamp] = await boardsOf(1)
    const { fileName } = await image()
    const body = { fileName, target: { deviceIds: [lamp?.id] }, stages: all }
    const { data: left } = await app.call('POST', '/rollouts', admin, body)
    const ended = { _id: new Types.ObjectId(left._id) }
    await app.connection.collection('rollouts').updateOne(ended, { $set: { state: 'done', isActive: false } })
    const ask = () => app.call('POST', '/rollouts', admin, body)
    expect((await ask()).statusCode).toBe(409)
    if (app.connection.db === undefined) throw new Error('not connected')
    await boardsLeftOpen.run(app.connection.db, new Date(app.clock.now()))
    expect((await rollout(left._id)).counts).toEqual({ skipped: 1 })
    const made = await ask()
    expect(made.statusCode).toBe(201)
    await boardsLeftOpen.run(app.connection.db, new Date(app.clock.now()))
    expect((await rollout(made.data._id)).counts).toEqual({ waiting: 1 })
    await end(made.data._id)
  })

  test('that is listed twice in an older database does not prevent a start', async () => {
    const [lamp] = await boardsOf(1)
    const rows = app.connection.collection('rolloutTargets')
    await rows.dropIndex('deviceId_1_isSingle_1')
    const deviceId = new Types.ObjectId(lamp?.id)
    const row = () => ({ rolloutId: new Types.ObjectId(), deviceId, phase: 'waiting', isOpen: true })
    await rows.insertMany([row(), row()])
    await app.another()
    expect((await rows.indexes()).map(({ name }) => name)).toContain('deviceId_1_isSingle_1')
  })
})
