import { mongo } from 'mongoose'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { retryWhileStarting } from './retry-while-starting.ts'

const log = pino({ level: 'silent' })

it.each([
  ['a database that answers late', new mongo.MongoOperationTimeoutError('The database did not answer within 2500 ms')],
  ['a record that another instance made', Object.assign(new Error('E11000'), { code: 11000 })],
  ['an index that another instance makes', new Error('UNIQUE constraint failed: indexes')]
])('%s does not end a start: the step is run again', async (_what, error) => {
  let runs = 0
  await retryWhileStarting(() => {
    runs += 1
    if (runs < 3) throw error
  }, log)
  expect(runs).toBe(3)
})

it('an error that is not transient is thrown at once', async () => {
  let runs = 0
  const step = () => {
    runs += 1
    throw new Error('ADMIN_EMAIL is no e-mail address')
  }
  await expect(retryWhileStarting(step, log)).rejects.toThrow('ADMIN_EMAIL')
  expect(runs).toBe(1)
})
