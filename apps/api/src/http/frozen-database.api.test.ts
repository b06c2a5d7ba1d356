import { createDatabaseName, databaseUri, startTestDatabase } from '@batti/embedded-mongo/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultAccountLimits } from '../features/accounts/limits.ts'
import { pingDatabase } from '../store/database.ts'
import { startAccountsApp, type AccountsApp } from '../testing/accounts-app.ts'
import { startLineToDatabase, type LineToDatabase } from '../testing/line-to-database.ts'
import { bearer, signUp, signUpAdmin } from '../testing/people.ts'
import { until } from '../testing/until.ts'

/** More than the one wait that a caller may have, less than two in a row. */
const twoWaitsMs = 4500

let database: Awaited<ReturnType<typeof startTestDatabase>>
let line: LineToDatabase
let app: AccountsApp
beforeAll(async () => {
  database = await startTestDatabase()
  line = await startLineToDatabase(database.uri)
  const { textsPerIp } = defaultAccountLimits
  app = await startAccountsApp({
    uri: databaseUri(line.uri, createDatabaseName('frozen')),
    limits: { textsPerIp: { ...textsPerIp, points: 100 } }
  })
}, 60_000)
afterAll(async () => {
  line.freeze(false)
  await app.close()
  await line.stop()
  await database.stop()
})

/** Stops the database when the api begins, or ends, a call to it. */
const freezeAt = (moment: 'start' | 'end', collection: string, call: string) =>
  app.connection.on(`operation-${moment}`, (operation: { collectionName: string; method: string }) => {
    if (operation.collectionName === collection && operation.method === call) line.freeze(true)
  })
const bringBack = async () => {
  for (const name of ['operation-start', 'operation-end']) app.connection.removeAllListeners(name)
  line.freeze(false)
  await until(() => pingDatabase(app.connection))
}

test('a call whose undoing needs the database too answers 503 after one wait, and works when the database is back', async () => {
  const person = await signUp(app)
  // The code is made, its sending is being counted: at that moment the database stops.
  freezeAt('start', 'rate_limits', 'findOneAndUpdate')
  const from = performance.now()
  const answer = await app.http
    .post('/api/v1/user/request-phone-verification')
    .set(...bearer(person))
    .send({})
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5'])
  expect(performance.now() - from).toBeLessThan(twoWaitsMs)

  await bringBack()
  expect((await app.http.get('/api/v1/user/account').set(...bearer(person))).status).toBe(200)
})

test.each([
  ['in the middle of', 'start', 'updateMany'],
  ['at the end of', 'end', 'findOneAndUpdate']
] as const)('so does one %s a transaction', async (_where, moment, call) => {
  const [by, other] = [await signUpAdmin(app), await signUpAdmin(app)]
  freezeAt(moment, 'users', call)
  const demote = () =>
    app.http
      .patch(`/api/v1/users/${other.id}`)
      .set(...bearer(by))
      .send({ role: 'user' })
  const from = performance.now()
  expect((await demote()).status).toBe(503)
  expect(performance.now() - from).toBeLessThan(twoWaitsMs)

  await bringBack()
  await until(async () => (await demote()).status === 200)
})
