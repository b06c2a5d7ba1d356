import { expect, onTestFinished, test, vi } from 'vitest'
import { startApi } from '../testing/test-api.ts'

test('a stop waits for what listeners to events still have to store', async () => {
  const app = await startApi()
  onTestFinished(() => app.stop())
  const stopping = await startApi({ uri: app.uri })
  const { promise: isHeld, resolve: goOn } = Promise.withResolvers<void>()
  stopping.events.on('address-blocked', async () => {
    await isHeld
    await stopping.connection.collection('stored').insertOne({})
  })
  stopping.events.emit('address-blocked', { ip: '203.0.113.1' })
  const waiting = vi.spyOn(stopping.events, 'settled')
  const stopped = stopping.stop()
  await expect.poll(() => waiting.mock.calls).toHaveLength(1)
  goOn()
  await stopped
  expect(await app.connection.collection('stored').countDocuments()).toBe(1)
})
