import { expect, onTestFinished, test, vi } from 'vitest'
import { startApi } from '../../testing/test-api.ts'

test('a rollout that is taken over repeats its jobs, also if the database fails in the first pass, and once', async () => {
  const app = await startApi({ at: '2026-11-20T06:00:00Z' })
  onTestFinished(() => app.stop())
  const admin = app.person('admin')
  const form = new FormData()
  form.append('firmware', new Blob([new Uint8Array(500)]), 'wall-2.0.0.bin')
  await app.call('POST', '/device-firmware-files', admin, form)
  const { id, board } = await app.device(app.person())
  board.report({ cause: 'resync', osVersion: '1.0.0' })
  await app.settled()
  app.clock.advance(2000)
  const target = { deviceIds: [id] }
  await app.call('POST', '/rollouts', admin, { fileName: 'wall-2.0.0.bin', target, stages: [{ percent: 100 }] })
  await app.rollouts.tick()
  expect(board.updates).toHaveLength(1)
  const other = await app.another()
  // The lease of the first has expired, as when no process renews it.
  app.clock.advance(10_000)
  const reading = vi.spyOn(other.models.devices, 'find').mockImplementation(() => {
    throw new Error('the connection is lost')
  })
  await other.rollouts.tick()
  reading.mockRestore()
  expect(other.logged()).toContain('a rollout could not be processed')
  expect(board.updates).toHaveLength(1)
  await other.rollouts.tick()
  await other.rollouts.tick()
  expect(board.updates).toHaveLength(2)
})
