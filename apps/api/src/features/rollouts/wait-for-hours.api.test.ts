import { minuteMs } from '@batti/kit/durations'
import { Types } from 'mongoose'
import { expect, onTestFinished, test } from 'vitest'
import { startApi } from '../../testing/test-api.ts'

test('many boards that wait for the same hours cost a few writes each quarter of an hour', async () => {
  const app = await startApi({ at: '2026-11-20T06:00:00Z', hearsQueries: true })
  onTestFinished(() => app.stop())
  const admin = app.person('admin')
  const form = new FormData()
  form.append('firmware', new Blob([new Uint8Array(500)]), 'wall-2.0.0.bin')
  await app.call('POST', '/device-firmware-files', admin, form)
  const stored = { osVersion: '1.0.0', isOnline: true, switch: [], timezone: 'Asia/Kathmandu' }
  const ids = Array.from({ length: 200 }, () => new Types.ObjectId())
  await app.models.devices.collection.insertMany(
    ids.map((_id) => ({ _id, deviceMac: String(_id), ...stored, onlineChangedAt: new Date(0) })) as never
  )
  const made = await app.call('POST', '/rollouts', admin, {
    fileName: 'wall-2.0.0.bin',
    target: { deviceIds: ids.map(String) },
    stages: [{ percent: 100 }],
    allowedHours: { from: '23:00', to: '05:00' }
  })
  expect(made.statusCode, made.message).toBe(201)
  let writes = 0
  const hear = ({ command }: { command: { update?: string } }): void =>
    void (writes += command.update === 'rolloutTargets' ? 1 : 0)
  app.connection.getClient().on('commandStarted', hear)
  // At noon in Kathmandu, minute by minute.
  for (let minute = 0; minute < 15; minute += 1) {
    await app.rollouts.tick()
    app.clock.advance(minuteMs)
  }
  expect((await app.call('GET', `/rollouts/${made.data._id}`, admin)).data.counts).toEqual({ waiting: 200 })
  expect(writes).toBe(10)
})
