import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import { bearer, signUpAdmin, type Person } from '../../testing/people.ts'

let app: TestApi
let admin: Omit<Person, 'phone'>
beforeAll(async () => {
  app = await startApi({ env: { TRUST_PROXY: 'loopback' } })
  admin = await signUpAdmin(app)
})
afterAll(() => app.stop())

interface Row {
  _id: string
  blocked: boolean
}
const from = (ip: string) => app.http.get('/api/v1/user/account').set('x-forwarded-for', ip)
const rowsOf = async (ip: string): Promise<Row[]> =>
  (
    await app.http
      .get(`/api/v1/unauthorized-logs?search=${ip}`)
      .set(...bearer(admin))
      .expect(200)
  ).body.logs
const patch = (row: Row | undefined, body: object) =>
  app.http
    .patch(`/api/v1/unauthorized-logs/${row?._id}`)
    .set(...bearer(admin))
    .send(body)

test('an end without a block is refused by its name, and the block stays', async () => {
  await from('203.0.113.12').expect(401)
  const [row] = await rowsOf('203.0.113.12')
  await patch(row, { blocked: true }).expect(200)
  const change = (until: string | null) => patch(row, { blocked: false, until })
  const { body } = await change(new Date(app.clock.now() + 3_600_000).toISOString()).expect(400)
  expect(body.errors).toEqual([{ path: 'until', message: 'can only be given with a block' }])
  expect(await rowsOf('203.0.113.12')).toMatchObject([{ blocked: true }])
  await change(null).expect(200)
})

test('a block with an end expires by itself, and says until when', async () => {
  const ip = '203.0.113.30'
  await from(ip).expect(401)
  const [row] = await rowsOf(ip)
  const block = (endsAt: number) => patch(row, { blocked: true, until: new Date(endsAt).toISOString() })
  await block(app.clock.now() - 1000).expect(400)
  const end = app.clock.now() + 60_000
  const { body } = await block(end).expect(200)
  expect(body.data).toMatchObject({ blocked: true, until: new Date(end).toISOString() })
  app.clock.advance(59_999)
  await from(ip).expect(403)
  app.clock.advance(1)
  await from(ip).expect(401)
  expect((await rowsOf(ip)).filter(({ blocked }) => blocked)).toEqual([])
})

test('a block that another admin has set meanwhile is changed by nobody who has not seen it', async () => {
  const ip = '203.0.113.31'
  await from(ip).expect(401)
  const [row] = await rowsOf(ip)
  const none = { blocked: false, until: null }
  const forGood = { blocked: true, until: null }
  const anHour = { blocked: true, until: new Date(app.clock.now() + 3_600_000).toISOString() }
  await patch(row, { ...anHour, seen: none }).expect(200)
  await patch(row, { ...forGood, seen: anHour }).expect(200)
  // A repeated change is none.
  await patch(row, { ...forGood, seen: none }).expect(200)
  for (const outdated of [
    { blocked: false, seen: anHour },
    { ...anHour, seen: none }
  ]) {
    const { body } = await patch(row, outdated).expect(409)
    expect(body.message).toBe('Another admin has blocked this address meanwhile. The list shows until when.')
  }
  expect(await rowsOf(ip)).toMatchObject([forGood])
  await patch(row, { blocked: false, seen: forGood }).expect(200)
  const { body } = await patch(row, { ...anHour, seen: forGood }).expect(409)
  expect(body.message).toBe('This address is not blocked any more.')
  expect(await rowsOf(ip)).toMatchObject([none])
})

test('of two admins who block an address at the same time, one is told of the other', async () => {
  const ip = '203.0.113.32'
  await from(ip).expect(401)
  const [row] = await rowsOf(ip)
  const block = (until: string | null) => patch(row, { blocked: true, until, seen: { blocked: false, until: null } })
  const answers = await Promise.all([block(null), block(new Date(app.clock.now() + 3_600_000).toISOString())])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
  const set = answers.find(({ status }) => status === 200)?.body.data.until
  expect(await rowsOf(ip)).toMatchObject([{ blocked: true, until: set }])
})

test('the placeholder row of a block expires with the block', async () => {
  await from('203.0.113.11').expect(401)
  const [row] = await rowsOf('203.0.113.11')
  const until = new Date(app.clock.now() + 3_600_000)
  await patch(row, { blocked: true, until: until.toISOString() }).expect(200)
  await app.http
    .delete(`/api/v1/unauthorized-logs/${row?._id}`)
    .set(...bearer(admin))
    .expect(200)
  const left = await app.connection.collection('unauthorized_logs').find({ ip: '203.0.113.11' }).toArray()
  expect(left).toMatchObject([{ method: 'BLOCKED', expiresAt: until }])
})

test('the rows that an address adds while it is blocked until a time expire as others do, and not before the block', async () => {
  const ip = '203.0.113.13'
  await from(ip).expect(401)
  const [row] = await rowsOf(ip)
  const added = async (path: string) => {
    await app.http.get(path).set('x-forwarded-for', ip).expect(403)
    await rowsOf(ip)
    return app.connection.collection('unauthorized_logs').findOne({ ip, url: path })
  }
  const day = 86_400_000
  const block = (endsAt: number | null) =>
    patch(row, { blocked: true, until: endsAt === null ? null : new Date(endsAt).toISOString() }).expect(200)
  await block(app.clock.now() + day)
  expect(await added('/api/v1/rooms')).toMatchObject({ expiresAt: new Date(app.clock.now() + 90 * day) })
  const end = app.clock.now() + 200 * day
  await block(end)
  expect(await added('/api/v1/home')).toMatchObject({ expiresAt: new Date(end) })
  await block(null)
  expect(await added('/api/v1/switches')).not.toHaveProperty('expiresAt')
})

test('an expired block is kept for a day, because the clock may have been ahead, and no longer', async () => {
  await app.ensureIndexes()
  expect(await app.connection.collection('blocked_addresses').indexes()).toContainEqual(
    expect.objectContaining({ key: { until: 1 }, expireAfterSeconds: 86_400 })
  )
})
