import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import { bearer, logIn, signUp, signUpAdmin, testPassword, type Person } from '../../testing/people.ts'

let app: TestApi
let admin: Omit<Person, 'phone'>
beforeAll(async () => {
  app = await startApi({ env: { TRUST_PROXY: 'loopback,198.51.100.0/24' } })
  admin = await signUpAdmin(app)
})
afterAll(() => app.stop())

interface Row {
  _id: string
  ip: string
  method: string
  url: string
  userAgent: string
  attempts: number
  timestamp: string
  users: number
  blocked: boolean
}
const rows = async (query = ''): Promise<Row[]> =>
  (
    await app.http
      .get(`/api/v1/unauthorized-logs${query}`)
      .set(...bearer(admin))
      .expect(200)
  ).body.logs
const rowsOf = async (ip: string) => (await rows(`?search=${ip}`)).filter((row) => row.ip === ip)
const setBlocked = (id: string, blocked: unknown) =>
  app.http
    .patch(`/api/v1/unauthorized-logs/${id}`)
    .set(...bearer(admin))
    .send({ blocked })
const from = (ip: string, path = '/api/v1/user/account') => app.http.get(path).set('x-forwarded-for', ip)

test('refusals are counted by address, method and path, with the last time and user agent, and without secrets', async () => {
  for (let tries = 0; tries < 3; tries += 1) await from('203.0.113.1').set('user-agent', 'curl/8').expect(401)
  await from('203.0.113.1', '/api/v1/users?token=very-secret').expect(401)
  const person = await signUp(app)
  await from('203.0.113.1', '/api/v1/users')
    .set(...bearer(person))
    .expect(403)
  const found = await rowsOf('203.0.113.1')
  expect(found.map(({ method, url, attempts }) => `${method} ${url} ${attempts}`).toSorted()).toEqual([
    'GET /api/v1/user/account 3',
    'GET /api/v1/users 2'
  ])
  const account = found.find(({ url }) => url.endsWith('account'))
  expect(account).toMatchObject({ userAgent: 'curl/8', blocked: false })
  expect(new Date(account?.timestamp ?? '').getTime()).toBe(app.clock.now())
  expect(await rows(`?from=${account?.timestamp}&to=${account?.timestamp}`)).toContainEqual(account)
  expect(JSON.stringify(await rows())).not.toContain('very-secret')
})

test('many ids under one guarded route are one row', async () => {
  for (let id = 0; id < 20; id += 1) {
    await app.http
      .patch(`/api/v1/users/6650000000000000000000${String(id).padStart(2, '0')}`)
      .set('x-forwarded-for', '203.0.113.2')
      .expect(401)
  }
  expect(await rowsOf('203.0.113.2')).toMatchObject([{ url: '/api/v1/users/{id}', attempts: 20 }])
})

test('paths that one address makes up do not fill the log, and its calls stay apart', async () => {
  const refused = (ip: string, url: string) => app.events.emit('refused', { ip, method: 'GET', url, userAgent: '' })
  const [stranger, other] = ['203.0.113.14', '203.0.113.15']
  refused(stranger, '/api/v1/users')
  for (let made = 0; made < 400; made += 1) refused(stranger, `/made-up-${made}`)
  refused(stranger, '/api/v1/users')
  refused(other, '/made-up-399')
  const found = await rows(`?search=${stranger}&limit=400`)
  expect(found).toHaveLength(301)
  const attempts = new Map(found.map((row) => [row.url, row.attempts]))
  expect([attempts.get('(other)'), attempts.get('/api/v1/users')]).toEqual([101, 2])
  expect(await rowsOf(other)).toMatchObject([{ url: '/made-up-399' }])
})

test('sockets and boards that were refused appear beside them', async () => {
  app.events.emit('refused', { ip: '203.0.113.3', method: 'MQTT', url: 'CONNECT', userAgent: 'x'.repeat(5000) })
  app.events.emit('refused', { ip: '203.0.113.3', method: 'SOCKET', url: 'toggle-switch', userAgent: '' })
  const found = await rowsOf('203.0.113.3')
  expect(found.map(({ method }) => method).toSorted()).toEqual(['MQTT', 'SOCKET'])
  expect(found.find(({ method }) => method === 'MQTT')?.userAgent).toHaveLength(256)
})

test('a name or topic that a stranger made up reaches staff without line breaks, direction marks and halves of characters', async () => {
  const ip = '203.0.113.9'
  const made = (end: string) => `\u202egnp\u2066\n\u0000.${'x'.repeat(250)}${end}`
  app.events.emit('refused', { ip, method: 'MQTT', url: made(''), userAgent: made('') })
  const shown = `gnp.${'x'.repeat(250)}`
  expect(await rowsOf(ip)).toMatchObject([{ url: shown, userAgent: `gnp.${'x'.repeat(248)}` }])
  const halved = `${'x'.repeat(254)}💡 and more`
  app.events.emit('refused', { ip, method: 'SOCKET', url: halved, userAgent: `x${halved}` })
  const [socket] = (await rowsOf(ip)).filter(({ method }) => method === 'SOCKET')
  expect([socket?.url, socket?.userAgent]).toEqual([`${'x'.repeat(254)}…`, 'x'.repeat(255)])
})

test('the topic that a board was refused is shown as it was sent', async () => {
  const topics = ['#', 'd/0123456789abcdef01234567/up/status', 'd/+/down/#']
  for (const url of topics) app.events.emit('refused', { ip: '203.0.113.8', method: 'MQTT', url, userAgent: '' })
  expect((await rowsOf('203.0.113.8')).map(({ url }) => url).toSorted()).toEqual(topics.toSorted())
})

test('a blocked address gets 403 at once, with a notice, and is accepted again once unblocked', async () => {
  await from('203.0.113.4').expect(401)
  const [row] = await rowsOf('203.0.113.4')
  const announced: string[] = []
  const off = app.events.on('address-blocked', ({ ip }) => void announced.push(ip))
  const blocked = await setBlocked(row?._id ?? '', true).expect(200)
  expect(blocked.body.data.blocked).toBe(true)
  off()
  expect(announced).toContain('203.0.113.4')
  for (const path of ['/api/v1/user/account', '/api/v1/user/login', '/files/images/x.webp', '/']) {
    const answer = await from('203.0.113.4', path).expect(403)
    expect(answer.body.code).toBe('IP_BLOCKED')
  }
  await from('::ffff:203.0.113.4').expect(403)
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const page = await from('203.0.113.4', '/user/home').set('Accept', browser).expect(403)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  // The answer in JSON too: a cache that has it must not give it to a browser.
  const other = await from('203.0.113.4', '/user/home').expect(403)
  for (const { headers } of [page, other]) expect(headers['vary'] ?? '').toMatch(/\bAccept(,|$)/)
  expect(page.text).toContain('<h1>Requests from your address are blocked.</h1>')
  await from('203.0.113.4').set('Accept', browser).expect(403).expect('content-type', /json/)
  expect(app.unauthorizedLogs.addressFilter.isBlocked('203.0.113.4')).toBe(true)
  expect((await rowsOf('203.0.113.4')).every((each) => each.blocked)).toBe(true)
  await from('203.0.113.5').expect(401)

  await setBlocked(row?._id ?? '', false).expect(200)
  await from('203.0.113.4').expect(401)
})

test('the list counts blocked and other rows of its filter, whichever of them it shows', async () => {
  for (const host of [30, 31, 32]) await from(`192.0.2.${host}`, '/api/v1/user/account').expect(401)
  const [row] = await rowsOf('192.0.2.30')
  await setBlocked(row?._id ?? '', true).expect(200)
  const shown = async (more: string) => {
    const query = `?search=192.0.2.${more}`
    const { body } = await app.http.get(`/api/v1/unauthorized-logs${query}`).set(...bearer(admin))
    const { total, byBlock } = body as { total: number; byBlock: object }
    return { total, byBlock }
  }
  const byBlock = { blocked: 1, unblocked: 2 }
  expect(await shown('')).toEqual({ total: 3, byBlock })
  expect(await shown('&blocked=true')).toEqual({ total: 1, byBlock })
  expect(await shown('&blocked=false')).toEqual({ total: 2, byBlock })
  await setBlocked(row?._id ?? '', false).expect(200)
})

test('an IPv6 network is one client: in the log, for limits, and when it is blocked', async () => {
  for (const host of ['1', 'aaaa', 'bbbb:1:2']) await from(`2001:db8:1:2::${host}`).expect(401)
  const [row, ...others] = await rows('?search=2001:db8:1:2::aaaa')
  expect([row, others]).toMatchObject([{ ip: '2001:db8:1:2::/64', attempts: 3 }, []])
  await setBlocked(row?._id ?? '', true).expect(200)
  await from('2001:db8:1:2:ffff::9').expect(403)
  await from('2001:db8:1:3::1').expect(401)
  await setBlocked(row?._id ?? '', false).expect(200)
  await from('2001:db8:1:2:ffff::9').expect(401)
  // An admin who is logged in there would be locked out too.
  const login = app.http.post('/api/v1/user/login').set('x-forwarded-for', '2001:db8:1:4::1')
  await login.send({ email: admin.email, password: testPassword }).expect(200)
  await from('2001:db8:1:4::2').expect(401)
  const [own] = await rows('?search=2001:db8:1:4::2')
  await setBlocked(own?._id ?? '', true).expect(409)
})

test('the port that a proxy adds to an address is ignored', async () => {
  for (const address of [
    '203.0.113.90:51234',
    '203.0.113.90:51235, 127.0.0.1:80',
    '[::ffff:203.0.113.90]:443',
    '203.0.113.90'
  ])
    await from(address).expect(401)
  expect(await rowsOf('203.0.113.90')).toMatchObject([{ attempts: 4 }])
})

test('another instance applies a block within a second, and after a restart it still applies', async () => {
  await from('203.0.113.6').expect(401)
  const [row] = await rowsOf('203.0.113.6')
  await setBlocked(row?._id ?? '', true).expect(200)
  const other = await startApi({ uri: app.uri, isShared: true })
  expect(other.unauthorizedLogs.addressFilter.isBlocked('203.0.113.6')).toBe(true)
  await setBlocked(row?._id ?? '', false).expect(200)
  await expect.poll(() => other.unauthorizedLogs.addressFilter.isBlocked('203.0.113.6')).toBe(false)
  await other.stop()
})

test('nobody can block their own address, this machine, or a trusted proxy', async () => {
  for (const ip of ['127.0.0.1', '::1', '198.51.100.7', '::ffff:127.0.0.1']) {
    app.events.emit('refused', { ip, method: 'GET', url: '/api/v1/devices', userAgent: '' })
  }
  app.events.emit('refused', { ip: '203.0.113.77', method: 'GET', url: '/api/v1/devices', userAgent: '' })
  const all = await rows('?search=/api/v1/devices')
  // 127.0.0.1 in two spellings is one address.
  expect(all.length).toBeGreaterThanOrEqual(4)
  for (const { _id, ip } of all) {
    const answer = await app.http
      .patch(`/api/v1/unauthorized-logs/${_id}`)
      .set('x-forwarded-for', '203.0.113.77')
      .set(...bearer(admin))
      .send({ blocked: true })
    expect(answer.status, ip).toBe(409)
  }
})

test('headers of a client that is not our proxy are ignored', async () => {
  const direct = await startApi()
  const chief = await signUpAdmin(direct)
  await direct.http.get('/api/v1/user/account').set('x-forwarded-for', '203.0.113.9').expect(401)
  const answer = await direct.http
    .get('/api/v1/unauthorized-logs')
    .set(...bearer(chief))
    .expect(200)
  expect(answer.body.logs.map(({ ip }: Row) => ip)).toEqual(['127.0.0.1'])
  await direct.stop()
})

test('deleting a row keeps the block of its address, which can still be removed', async () => {
  await from('203.0.113.10').expect(401)
  const [row] = await rowsOf('203.0.113.10')
  await setBlocked(row?._id ?? '', true).expect(200)
  await app.http
    .delete(`/api/v1/unauthorized-logs/${row?._id}`)
    .set(...bearer(admin))
    .expect(200)
  const left = await rowsOf('203.0.113.10')
  expect(left.map(({ _id }) => _id)).not.toContain(row?._id)
  expect(left).toMatchObject([{ blocked: true }])
  await setBlocked(left[0]?._id ?? '', false).expect(200)
  await from('203.0.113.10').expect(401)
  await app.http
    .delete(`/api/v1/unauthorized-logs/${row?._id}`)
    .set(...bearer(admin))
    .expect(404)
})

test.each([[{}], [{ blocked: 'yes' }], [{ blocked: true, ip: '1.2.3.4' }]])(
  'a row cannot be changed to %j',
  async (body) => {
    const [row] = await rows()
    await app.http
      .patch(`/api/v1/unauthorized-logs/${row?._id}`)
      .set(...bearer(admin))
      .send(body)
      .expect(400)
  }
)

test('rows are searched, sorted and paged by the server', async () => {
  admin = await logIn(app, admin.email)
  for (let tries = 0; tries < 20; tries += 1) await from('203.0.113.41').expect(401)
  for (const ip of ['203.0.113.42', '203.0.113.43', '203.0.113.44']) await from(ip).expect(401)
  const list = (await app.http.get('/api/v1/unauthorized-logs?sort=-attempts&limit=1').set(...bearer(admin))).body
  expect(list.logs).toHaveLength(1)
  expect(list.logs).toEqual(list.data.logs)
  expect(list.total).toBeGreaterThan(3)
  expect(list.logs[0].attempts).toBeGreaterThanOrEqual(20)
  expect(await rows('?search=((')).toEqual([])
})

test('rows are sorted by the number of accounts seen at their address, page by page', async () => {
  admin = await logIn(app, admin.email)
  const people = [await signUp(app), await signUp(app)]
  const seen = async (ip: string, by: readonly Person[]) => {
    for (const { email } of by)
      await app.http
        .post('/api/v1/user/login')
        .set('x-forwarded-for', ip)
        .send({ email, password: testPassword })
        .expect(200)
    await from(ip).expect(401)
    await from(ip, '/api/v1/users').expect(401)
  }
  await seen('203.0.113.21', people.slice(0, 1))
  await seen('203.0.113.22', [])
  await seen('203.0.113.23', people)
  const list = async (query: string) =>
    (await rows(`?search=203.0.113.2&${query}`)).filter(({ ip }) => ip >= '203.0.113.21')
  const ofUsers = async (query: string) => (await list(query)).map(({ ip, users }) => `${ip.slice(-2)}: ${users}`)
  const upwards = ['22: 0', '22: 0', '21: 1', '21: 1', '23: 2', '23: 2']
  expect(await ofUsers('sort=users')).toEqual(upwards)
  expect(await ofUsers('sort=-users')).toEqual(upwards.toReversed())
  expect(await ofUsers('sort=-users&limit=3&page=1')).toEqual(['23: 2', '23: 2', '21: 1'])
})
