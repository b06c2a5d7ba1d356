import { until } from '@batti/kit/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eveningSchedule } from '../../testing/evening-schedule.ts'
import { startApi } from '../../testing/test-api.ts'

test('a board whose deletion failed in the database is unchanged, and is deleted completely the next time', async () => {
  const app = await startApi()
  try {
    const sita = app.person()
    const { id, switchIds } = await app.device(sita)
    await app.call('POST', '/schedules', sita, eveningSchedule({ id, switchIds }))
    const failing = vi.spyOn(app.models.switches, 'deleteMany').mockImplementationOnce(() => {
      throw new Error('the database went away')
    })
    const remove = async () => (await app.call('DELETE', `/devices/${id}`, sita)).statusCode
    expect(await remove()).toBe(500)
    failing.mockRestore()
    expect((await app.call('GET', `/devices/${id}`, sita)).data).toMatchObject({ isOnline: true })
    expect(await remove()).toBe(200)
    expect(await app.models.switches.countDocuments({ deviceId: id })).toBe(0)
    expect(await app.connection.collection('schedules').countDocuments({})).toBe(0)
  } finally {
    await app.stop()
  }
})

test('a board that is deleted while a call waits for its answer ends that call at once', async () => {
  // On a clock that stands still: the board's time to answer never ends.
  const app = await startApi()
  onTestFinished(() => app.stop())
  const sita = app.person()
  const { id, switchIds, board } = await app.device(sita)
  board.isMute = true
  const waiting = app.call('PATCH', `/switches/by-id/${switchIds[0]}`, sita, { status: true })
  await until('the board has the command', () => board.commands.length > 0)
  expect((await app.call('DELETE', `/devices/${id}`, sita)).statusCode).toBe(200)
  expect(await waiting).toMatchObject({ statusCode: 404, message: 'Device was not found.' })
})
