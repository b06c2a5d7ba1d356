import { minuteMs } from '@batti/kit/durations'
import { Types } from 'mongoose'
import { afterAll, describe, expect, test } from 'vitest'
import { boardsLeftOpen } from '../../migrations/0003-boards-left-open.ts'
import { all, idsOf, sentTo, startRollouts } from '../../testing/rollouts-by-hand.ts'
import type { AddedDevice } from '../../testing/test-api.ts'
import type { TestInstance } from '../../testing/test-instance.ts'

const { app, admin, image, boardsOf, pass, look, start, rollout, end, prove } = await startRollouts()
afterAll(() => app.stop())

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

  test('that goes offline before it is sent a manual update is not sent it more than an hour later', async () => {
    const boards = await boardsOf(2)
    const { fileName } = await image()
    const ask = async (deviceId: string) =>
      (await app.call('POST', '/update-device-firmware', admin, { deviceId, fileName })).statusCode
    for (const { id, board } of boards) {
      expect(await ask(id)).toBe(200)
      board.disconnect()
    }
    const [early, late] = boards
    await app.settled()
    await app.rollouts.tick()
    await pass(50 * minuteMs)
    early?.board.connect()
    await look()
    await pass(20 * minuteMs)
    await look()
    late?.board.connect()
    await look()
    expect(sentTo(boards)).toEqual([true, false])
    expect(await ask(late?.id ?? '')).toBe(200)
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

  test('that was pinned or updated while it waited for its turn is sent nothing', async () => {
    const boards = await boardsOf(3)
    const { fileName, version } = await image()
    const id = await start({ fileName, target: { deviceIds: idsOf(boards) }, stages: all, atOnce: 1 })
    const [pinned, updated] = boards.filter(({ board }) => board.updates.length === 0)
    const pin = { version: '1.0.0', reason: 'on trial', endsAt: null }
    await app.call('PATCH', `/devices/${pinned?.id}`, admin, { pinnedVersion: pin })
    updated?.board.report({ cause: 'resync', osVersion: version })
    await app.settled()
    await prove(boards, version)
    await look()
    expect(await rollout(id)).toMatchObject({ state: 'done', counts: { done: 2, skipped: 1 } })
    expect([pinned, updated].map((each) => each?.board.updates)).toEqual([[], []])
  })

  test('is not moved to a room that was deleted since that was asked for', async () => {
    const owner = app.person()
    const boards = await boardsOf(2, owner)
    const rooms = await Promise.all(
      ['Hall', 'Porch'].map(
        async (roomName) => (await app.call('POST', '/rooms', owner, { roomName })).data._id as string
      )
    )
    const moves = await Promise.all(
      rooms.map(async (setRoom, index) => {
        const body = { deviceIds: [boards[index]?.id], set: { setRoom } }
        return (await app.call('POST', '/bulk/devices', admin, body)).data.id as string
      })
    )
    expect((await app.call('DELETE', `/rooms/${rooms[0]}`, owner)).statusCode).toBe(200)
    await look()
    expect(await Promise.all(moves.map(rollout))).toMatchObject([
      { state: 'done', counts: { failed: 1 }, failures: [{ code: 'rejected' }] },
      { state: 'done', counts: { done: 1 } }
    ])
    const { targets } = (await app.call('GET', `/rollouts/${moves[0]}/targets`, admin)).data
    expect(targets).toMatchObject([{ error: { detail: 'Room was not found.' } }])
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
    const owner = app.person()
    await boardsOf(1, owner)
    const [first, second] = [await image(), await image()]
    const body = { stages: all, maxFailurePercent: 100 }
    const target = { filter: { userId: owner.userId } }
    const following = await start({ ...body, fileName: first.fileName, target, follow: true })
    const late = await boardsOf(6, owner)
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
