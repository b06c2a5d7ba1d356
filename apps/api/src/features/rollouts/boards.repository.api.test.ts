import { expect, onTestFinished, test } from 'vitest'
import { startApi } from '../../testing/test-api.ts'
import { createBoardsRepository } from './boards.repository.ts'

test('a board that came a moment ago is there for a rollout, though that is not stored yet', async () => {
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
