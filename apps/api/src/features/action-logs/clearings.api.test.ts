import { until } from '@batti/kit/testing'
import { Types } from 'mongoose'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { commandsOf } from '../../testing/commands-of.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import { createClearings } from './clearings.ts'

let app: TestApi
beforeAll(async () => {
  app = await startApi({ at: '2026-11-20T06:00:00Z', hearsQueries: true, isShared: true })
})
afterAll(() => app.stop())

const logs = () => app.connection.collection('switchActionLogs')
beforeEach(() => logs().deleteMany({}))
const row = (createdAt: string) => ({
  _id: new Types.ObjectId(),
  kind: 'change',
  userId: new Types.ObjectId(),
  description: 'Lamp turned ON',
  userName: '',
  from: 'board',
  cause: null,
  createdAt: new Date(createdAt)
})

test('a long log is cleared in commands of 500 rows, whatever their dates', async () => {
  const rows = Array.from({ length: 1100 }, () => row('2026-11-19T00:00:00Z'))
  await logs().insertMany([...rows, row('2027-01-01T00:00:00Z')])
  const sizes: number[] = []
  app.connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (commandName !== 'delete' || command['delete'] !== 'switchActionLogs') return
    sizes.push(command['deletes'][0].q._id?.$in?.length ?? Infinity)
  })
  const cleared = await app.call('POST', '/switch-action-logs', app.person('admin'))
  expect(cleared.data).toEqual({ deleted: 1101 })
  expect(Math.max(...sizes)).toBe(500)
  expect(await logs().countDocuments()).toBe(0)
  expect(await app.connection.collection('logClearings').countDocuments()).toBe(0)
})

test('a clearing interrupted by a stop is continued after the next start, without later rows', async () => {
  await logs().insertMany([row('2026-11-19T00:00:00Z'), row('2026-11-19T00:00:01Z'), row('2026-11-19T00:00:02Z')])
  const before = new Date('2026-11-19T00:00:01Z')
  await app.connection.collection<{ _id: string }>('logClearings').insertOne({ _id: 'all', before } as never)
  await app.another()
  await until(
    'every clearing is forgotten',
    async () => (await app.connection.collection('logClearings').countDocuments()) === 0
  )
  expect(await logs().countDocuments({ createdAt: { $lt: new Date('2026-11-20T00:00:00Z') } })).toBe(1)
})

test('rows that are being deleted are hidden, and the call is answered before all are gone', async () => {
  let finish = (): void => undefined
  const clearings = createClearings({
    connection: app.connection,
    log: pino({ enabled: false }),
    answerWithinMs: 0,
    deleteRows: (_of, onDeleted) => {
      onDeleted(500)
      return new Promise<void>((resolve) => (finish = resolve))
    }
  })
  const clearing = { _id: 'sita', before: new Date('2026-11-19T00:00:00Z') }
  await clearings.note(clearing)
  const answered = clearings.run(clearing)
  expect([await clearings.hiddenUntil('sita'), await clearings.hiddenUntil('ram')]).toEqual([
    clearing.before,
    undefined
  ])
  expect(await answered).toBe(500)
  expect(await clearings.hiddenUntil('sita')).toEqual(clearing.before)
  finish()
  await until('the clearing is forgotten', async () => (await clearings.hiddenUntil('sita')) === undefined)
})

test('rows that another instance is deleting are hidden here too', async () => {
  const [user, admin] = [app.person('user'), app.person('admin')]
  await logs().insertMany([
    { ...row('2026-11-19T00:00:00Z'), userId: new Types.ObjectId(user.userId) },
    row('2026-11-19T00:00:00Z'),
    row('2026-11-19T00:00:02Z')
  ])
  const before = new Date('2026-11-19T00:00:01Z')
  const marks = app.connection.collection<{ _id: string }>('logClearings')
  const shown = async (who: typeof user) => {
    const { data } = await app.call('GET', '/switch-action-logs', who)
    return (data as { logs: object[] }).logs.length
  }
  expect([await shown(user), await shown(admin)]).toEqual([1, 3])
  await marks.insertOne({ _id: user.userId, before } as never)
  expect([await shown(user), await shown(admin)]).toEqual([0, 3])
  await marks.insertOne({ _id: 'all', before } as never)
  expect([await shown(user), await shown(admin)]).toEqual([0, 1])
  await marks.deleteMany({})
})

test('an account is removed from long logs by commands that name the rows, without a scan', async () => {
  const leaving = app.person('admin')
  const cause = { by: 'user', userId: leaving.userId }
  await logs().insertOne({ ...row('2026-11-19T00:00:00Z'), cause, userName: leaving.name })
  const sent = await commandsOf(app, () => app.accounts.eraseHomeOf(leaving.userId))
  const filters = sent.flatMap(({ command }) =>
    ['switchActionLogs', 'commands'].includes(command['update']) ? [command['updates'][0].q] : []
  )
  expect(filters).not.toEqual([])
  expect(filters.filter(({ _id }) => _id === undefined)).toEqual([])
  expect(await logs().countDocuments({ $or: [{ 'cause.userId': leaving.userId }, { userName: leaving.name }] })).toBe(0)
})
