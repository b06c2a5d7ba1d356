import { expect, test, vi } from 'vitest'
import { eveningSchedule } from '../../testing/evening-schedule.ts'
import { startApi } from '../../testing/test-api.ts'

test('an api that is killed before a new schedule is bound to its switch leaves none', async () => {
  const app = await startApi()
  try {
    const owner = app.person()
    const device = await app.device(owner)
    await app.call('GET', '/schedules', owner)
    const { models } = app.connection
    for (const model of Object.values(models))
      for (const verb of ['updateOne', 'findOneAndUpdate', 'deleteOne', 'findOneAndDelete', 'deleteMany'] as const)
        vi.spyOn(model, verb).mockImplementation(() => {
          throw new Error('the process was killed')
        })
    expect((await app.call('POST', '/schedules', owner, eveningSchedule(device))).statusCode).toBe(500)
    vi.restoreAllMocks()
    expect((await app.call('GET', '/schedules', owner)).data.schedules).toEqual([])
  } finally {
    vi.restoreAllMocks()
    await app.stop()
  }
})
