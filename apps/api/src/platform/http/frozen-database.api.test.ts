import { createDatabaseName, databaseUri, startTestDatabase } from '@batti/embedded-mongo/testing'
import { until } from '@batti/kit/testing'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { defaultAccountLimits } from '../../features/accounts/limits.ts'
import { databaseDeadlineMs, pingDatabase } from '../store/database.ts'
import { startAwakeTime } from '../../testing/awake-time.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import { startLineToDatabase, type LineToDatabase } from '../../testing/line-to-database.ts'
import { bearer, signUp } from '../../testing/people.ts'

/** More than one wait of a caller, less than two in a row. */
const twoWaitsMs = 1.5 * databaseDeadlineMs

/** `inter` of the servers in deploy/haproxy/haproxy.cfg. */
const balancersWaitMs = 2000

let database: Awaited<ReturnType<typeof startTestDatabase>>
let line: LineToDatabase
let app: TestApi
beforeAll(async () => {
  database = await startTestDatabase()
  line = await startLineToDatabase(database.uri)
  const { textsPerIp } = defaultAccountLimits
  app = await startApi({
    uri: databaseUri(line.uri, createDatabaseName('frozen')),
    accountLimits: { textsPerIp: { ...textsPerIp, points: 100 } },
    databaseDeadlineMs
  })
})
afterAll(async () => {
  line.freeze(false)
  await app.stop()
  await line.stop()
  await database.stop()
})

test('a call whose rollback needs the database too answers 503 after one wait, and works once the database is back', async () => {
  const person = await signUp(app)
  const requestCode = () =>
    app.http
      .post('/api/v1/user/request-phone-verification')
      .set(...bearer(person))
      .send({})
  // The code is made and its sending is being counted when the database stops.
  let passed: (() => number) | undefined
  app.connection.on('operation-start', ({ collectionName }: { collectionName: string }) => {
    if (collectionName !== 'rate_limits') return
    line.freeze(true)
    passed ??= startAwakeTime()
  })
  const answer = await requestCode()
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5'])
  expect(passed?.()).toBeLessThan(twoWaitsMs)

  app.connection.removeAllListeners('operation-start')
  line.freeze(false)
  await until('the database answers', () => pingDatabase(app.connection))
  expect((await app.http.get('/api/v1/user/account').set(...bearer(person))).status).toBe(200)
})

test('a frozen database is reported before a load balancer considers the api hung', async () => {
  const bounds = vi.spyOn(AbortSignal, 'timeout')
  onTestFinished(() => bounds.mockRestore())
  line.freeze(true)
  expect(await pingDatabase(app.connection)).toBe(false)
  line.freeze(false)
  expect(Math.max(...bounds.mock.calls.flat())).toBeLessThan(balancersWaitMs)
  await until('the database answers', () => pingDatabase(app.connection))
})
