import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, signUp, type Person } from '../../testing/people.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import { connectionsMax } from './limits/connection-limits.ts'

let app: TestApi
let person: Person
beforeAll(async () => {
  app = await startApi({ env: { LIMIT_ROOMS: '2' } })
  person = await signUp(app)
})
afterAll(() => app.stop())

/** Sends exactly that on a connection of its own; returns what arrives until the server closes. */
async function raw(request: string): Promise<string> {
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  return text(socket)
}
const bodyOf = (answer: string): { statusCode: number; success: boolean; message: string } =>
  JSON.parse(answer.split('\r\n\r\n')[1] ?? '')

test.each(['rooms', 'devices', 'switches', 'favorite-switches', 'schedules', 'switch-action-logs'])(
  'a NUL in the search of %s is refused, naming the field',
  async (list) => {
    const answer = await app.http
      .get(`/api/v1/${list}?search=%00`)
      .set(...bearer(person))
      .expect(400)
    expect(answer.body.errors[0].path).toBe('search')
  }
)

test('a form field without a name is refused', async () => {
  const body = '--x\r\nContent-Disposition: form-data\r\n\r\nvalue\r\n--x--\r\n'
  await app.http
    .post('/api/v1/user/register')
    .set('content-type', 'multipart/form-data; boundary=x')
    .send(body)
    .expect(400)
})

test.each(['boundary="', 'boundary='])(
  'a form that cannot be read changes nothing and is refused: %s',
  async (boundary) => {
    const answer = await app.http
      .patch('/api/v1/user/update-account')
      .set(...bearer(person))
      .set('content-type', `multipart/form-data; ${boundary}`)
      .send('--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nGita\r\n--x--\r\n')
      .expect(400)
    expect(answer.body.message).toBe('The form is not complete. Please send it again.')
  }
)

test('a form where JSON is expected answers 415, not that a field is missing', async () => {
  await app.http
    .post('/api/v1/rooms')
    .set(...bearer(person))
    .field('roomName', 'Attic')
    .expect(415)
})

test.each(['{"name":"Gita"}', ' {"name":"a=b&c"}'])('JSON that is sent as a form answers 415: %s', async (json) => {
  const change = (type: string) =>
    app.http
      .patch('/api/v1/user/update-account')
      .set(...bearer(person))
      .set('content-type', type)
  const answer = await change('application/x-www-form-urlencoded').send(json).expect(415)
  expect(answer.body.message).toBe('Send JSON as application/json.')
  const form = await change('application/x-www-form-urlencoded').send('name=Gita').expect(200)
  expect(form.body.data.name).toBe('Gita')
})

test('an endless text in a body is refused by name before a schema reads it, whoever sends it', async () => {
  const endless = `a@${'b.'.repeat(20_000)}@`
  const post = (path: string) => app.http.post(`/api/v1/user/${path}`)
  const answers = [
    await post('login').send({ email: endless, password: 'x' }),
    await post('forgot-password').type('form').send({ email: endless }),
    await post('register').field('email', endless)
  ]
  for (const { status, body } of answers)
    expect([status, body.errors]).toEqual([400, [{ path: 'email', message: 'must be at most 16384 characters' }]])
})

test.each(['/healthz', '/api/v1/user/account', '/socket.io/?EIO=4&transport=polling'])(
  'thousands of requests that are sent without waiting for answers end their connection: %s',
  async (path) => {
    const one = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
    await expect(raw(one.repeat(2000)).catch(({ code }) => code)).resolves.toMatch(/^(?:ECONNRESET|EPIPE|)$/)
    await app.http.get('/healthz').expect(200)
  }
)

test.each([
  ['anything but a websocket', 'h2c'],
  ['a websocket where there is none', 'websocket']
])('an upgrade to %s is answered as plain HTTP', async (_what, protocol) => {
  const answer = await raw(
    `GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`
  )
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})

test('an unknown expectation is ignored', async () => {
  const answer = await raw('GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: cake\r\nConnection: close\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})

test("errors of Node's own have a body too", async () => {
  const broken = await raw('nonsense\r\n\r\n')
  expect(broken).toMatch(/^HTTP\/1\.1 400 /)
  expect(bodyOf(broken)).toMatchObject({ statusCode: 400, success: false })
  const large = await raw(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Big: ${'x'.repeat(40_000)}\r\n\r\n`)
  expect(large).toMatch(/^HTTP\/1\.1 413 /)
  expect(bodyOf(large)).toMatchObject({ statusCode: 413, success: false, code: 'PAYLOAD_TOO_LARGE' })
  const far = await raw(`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  expect(far).toMatch(/^HTTP\/1\.1 414 /)
  expect(bodyOf(far)).toMatchObject({ statusCode: 414, success: false, code: 'URI_TOO_LONG' })
})

test('a 401 has WWW-Authenticate', async () => {
  const answer = await app.http.get('/api/v1/rooms').expect(401)
  expect(answer.headers['www-authenticate']).toBe('Bearer')
})

test('an invalid session id is refused as such', async () => {
  await app.http
    .delete('/api/v1/user/sessions/nope')
    .set(...bearer(person))
    .expect(400)
})

test('the country code of a phone is used, and refused without a number', async () => {
  const update = (body: object) =>
    app.http
      .patch('/api/v1/user/update-account')
      .set(...bearer(person))
      .send(body)
  const changed = await update({ phone: '7911123456', countryCode: '+44' }).expect(200)
  expect(changed.body.data.phone).toBe('+447911123456')
  expect((await update({ countryCode: '+1' }).expect(400)).body.errors[0].path).toBe('countryCode')
})

test('an empty picture is not a changed profile', async () => {
  const answer = await app.http
    .patch('/api/v1/user/update-account')
    .set(...bearer(person))
    .attach('profileImage', Buffer.alloc(0), 'me.png')
    .expect(400)
  expect(answer.body.errors[0].path).toBe('profileImage')
})

test('a file in an unknown field is refused, naming the expected field', async () => {
  const answer = await app.http
    .patch('/api/v1/user/update-account')
    .set(...bearer(person))
    .attach('photo', Buffer.alloc(9), 'me.png')
    .expect(400)
  expect(answer.body.errors).toEqual([{ path: 'photo', message: expect.stringContaining('“profileImage”') }])
})

test('a picture that is not a file is refused, and an empty field of a form counts as none', async () => {
  const update = () => app.http.patch('/api/v1/user/update-account').set(...bearer(person))
  for (const profileImage of [null, 'hello', { url: 'http://x.test/me.png' }]) {
    const answer = await update().send({ profileImage }).expect(400)
    expect(answer.body.errors).toEqual([{ path: 'profileImage', message: expect.stringContaining('file of a form') }])
  }
  await update().field('profileImage', 'hello').expect(400)
  await update().field('name', 'Sita Rai').field('profileImage', '').expect(200)
})

test('HEAD of a link in a mail does not spend it', async () => {
  await app.http
    .post('/api/v1/user/request-phone-verification')
    .set(...bearer(person))
    .expect(200)
  const { phone } = (await app.http.get('/api/v1/user/account').set(...bearer(person))).body.data
  const link = /token=([\w-]+)/.exec((await app.takeMessage(phone)).text)?.[1] ?? ''
  await app.http.head(`/api/v1/users/verify-phone?token=${link}`).expect(200)
  await app.http.get(`/api/v1/users/verify-phone?token=${link}`).expect(200)
})

test('the number of rooms of an account is limited', async () => {
  const add = (roomName: string) =>
    app.http
      .post('/api/v1/rooms')
      .set(...bearer(person))
      .send({ roomName })
  const answers = await Promise.all(['Attic', 'Cellar', 'Loft', 'Porch', 'Hall'].map(add))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409, 409])
  expect((await add('Shed').expect(409)).body.code).toBe('LIMIT_REACHED')
})

test('logging out clears the cache', async () => {
  const { refreshToken } = await signUp(app)
  const answer = await app.http.post('/api/v1/user/logout').send({ refreshToken }).expect(200)
  expect(answer.headers['clear-site-data']).toBe('"cache"')
})

test('the total number of connections is limited', () => {
  expect(app.server.maxConnections).toBe(connectionsMax())
})
