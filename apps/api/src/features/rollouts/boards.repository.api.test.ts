import { Types } from 'mongoose'
import { expect, onTestFinished, test } from 'vitest'
import { commandsOf } from '../../testing/commands-of.ts'
import { startApi } from '../../testing/test-api.ts'
import { createBoardsRepository } from './boards.repository.ts'
import type { TargetDocument } from './targets/target.model.ts'
import { createTargetsRepository } from './targets/targets.repository.ts'

test('a board that has just connected is online for a rollout, although that is not stored yet', async () => {
  const app = await startApi()
  onTestFinished(() => app.stop())
  const { id } = await app.device(app.person())
  await app.settled()
  const { devices } = app.models
  await devices.updateOne({ _id: id }, { $set: { isOnline: false } })
  const onlineChangedAt = new Date(5)
  const unstored = new Map([[id, { isOnline: true, onlineChangedAt }]])
  const boards = createBoardsRepository(
    devices,
    () => Promise.resolve({}),
    (deviceId) => unstored.get(deviceId)
  )
  expect(await boards.findById(id)).toMatchObject({ isOnline: true, onlineChangedAt })
  expect(await boards.findByIds([id])).toMatchObject([{ isOnline: true }])
  unstored.clear()
  expect(await boards.findById(id)).toMatchObject({ isOnline: false })
})

test('all boards, and which of them are busy, are read in calls of a limited size', async () => {
  const app = await startApi({ hearsQueries: true })
  onTestFinished(() => app.stop())
  const { devices } = app.models
  const ids = Array.from({ length: 1203 }, () => new Types.ObjectId())
  await devices.collection.insertMany(ids.map((_id) => ({ _id, deviceMac: String(_id) }) as never))
  const boards = createBoardsRepository(
    devices,
    () => Promise.resolve({}),
    () => undefined
  )
  const targets = createTargetsRepository(app.connection.model<TargetDocument>('RolloutTarget'))
  const all = ids.map(String).toSorted()
  const sent = await commandsOf(app, async () => {
    const found = await boards.findByFilter({})
    expect(found.map(({ _id }) => String(_id))).toEqual(all)
    expect(await boards.findByIds(all)).toHaveLength(ids.length)
    expect(await boards.countOnline(all)).toBe(0)
    expect((await targets.findBusy(all)).size).toBe(0)
  })
  const queries = sent.filter(({ commandName }) => commandName === 'find' || commandName === 'aggregate')
  const asked = queries.map(({ command }) => {
    const named = /"\$in":\[([^\]]*)\]/.exec(JSON.stringify(command))?.[1]?.split(',').length
    return named ?? Number(command['limit'] ?? Infinity)
  })
  expect(asked).toHaveLength(12)
  expect(Math.max(...asked)).toBe(500)
})
