import { dayMs, minuteMs } from '@batti/kit/durations'
import { createFakeClock, until } from '@batti/kit/testing'
import { Types } from 'mongoose'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectTestDatabase } from '../../testing/test-database.ts'
import { createActionLogModel } from './action-log.model.ts'
import { createLogRetention } from './log-retention.ts'

/** A log with rows of these ages, of which those older than ten days are not kept. */
async function logWithRows(ages: readonly number[]) {
  const { connection, close } = await connectTestDatabase()
  onTestFinished(close)
  const actionLogs = createActionLogModel(connection)
  const clock = createFakeClock(Date.parse('2026-11-21T08:20:00.000Z'))
  await actionLogs.collection.insertMany(
    ages.map((days) => ({
      _id: new Types.ObjectId(),
      description: `${days} days old`,
      createdAt: new Date(clock.now() - days * dayMs - 1)
    }))
  )
  const retention = createLogRetention({ actionLogs, days: 10, clock, log: pino({ level: 'silent' }) })
  return { actionLogs, clock, retention }
}

test('rows of the log are removed also in a home that is switched off within an hour of each start', async () => {
  const { actionLogs, retention } = await logWithRows([9, 10])
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  retention.start()
  onTestFinished(retention.stop)
  vi.advanceTimersByTime(50 * minuteMs)
  await until('the old row is removed', async () => (await actionLogs.countDocuments()) === 1)
})

test('rows of the log are removed when they are older than they are kept, but not by a clock that has just been set far forward', async () => {
  const { actionLogs, clock, retention } = await logWithRows([9, 10, 11])
  await retention.clean()
  expect((await actionLogs.find().lean()).map(({ description }) => description)).toEqual(['9 days old'])
  clock.step(400 * dayMs)
  await retention.clean()
  expect(await actionLogs.countDocuments()).toBe(1)
  clock.step(-400 * dayMs)
  clock.advance(dayMs)
  await retention.clean()
  expect(await actionLogs.countDocuments()).toBe(0)
})
