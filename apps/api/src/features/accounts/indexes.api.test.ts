import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
beforeAll(async () => {
  app = await startApi()
})
afterAll(() => app.stop())

const id = '665000000000000000000000'
/** The queries of each request, login, code and list, with their order. */
const queries: [collection: string, filter: object, sort?: Record<string, 1 | -1>][] = [
  ['users', { loginEmailKey: 'a@example.com', deletingAt: null }],
  ['users', { loginPhone: '+9779812345678', deletingAt: null }, { phoneClaimedAt: 1 }],
  ['users', { loginPhone: '+9779812345678', loginPhoneVerified: true }],
  ['users', { role: 'monitor', deletingAt: null }, { createdAt: -1 }],
  ['sessions', { userId: id }, { lastUsedAt: -1 }],
  ['one_time_codes', { linkHash: 'x' }],
  ['one_time_codes', { userId: id }],
  ['registrations', { emailKey: 'a@example.com' }],
  ['registrations', { tokenHash: 'x' }],
  ['unauthorized_logs', {}, { timestamp: -1 }],
  ['unauthorized_logs', { ip: '192.0.2.1' }]
]

test.each(queries)('%s is queried by %j with an index', async (collection, filter, sort = {}) => {
  const plan = await app.connection.collection(collection).find(filter).sort(sort).explain('queryPlanner')
  const text = JSON.stringify(plan)
  expect(text).toContain('IXSCAN')
  expect(text).not.toContain('COLLSCAN')
})
