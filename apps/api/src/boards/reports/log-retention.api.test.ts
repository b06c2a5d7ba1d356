import { dayMs } from '@batti/kit/durations'
import { createFakeClock } from '@batti/kit/testing'
import { Types } from 'mongoose'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { connectTestDatabase } from '../../testing/test-database.ts'
import { createActionLogModel } from './action-log.model.ts'
import { createLogRetention } from './log-retention.ts'

test('rows of the log are removed when they are older than they are kept, but not by a clock that has just been set far forward', async () => {
  const { connection, close } = await connectTestDatabase()
  onTestFinished(close)
  const actionLogs = createActionLogModel(connection)
  const clock = createFakeClock(Date.parse('2026-11-21T08:20:00.000Z'))
  await actionLogs.collection.insertMany(
    [9, 10, 11].map((days) => ({
      _id: new Types.ObjectId(),
      description: `${days} days old`,
      createdAt: new Date(clock.now() - days * dayMs - 1)
    }))
  )
  const retention = createLogRetention({ actionLogs, days: 10, clock, log: pino({ level: 'silent' }) })
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
