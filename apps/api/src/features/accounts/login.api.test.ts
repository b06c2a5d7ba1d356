import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import jwt from 'jsonwebtoken'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import { bearer, newAddresses, signUp, testPassword } from '../../testing/people.ts'
import { defaultAccountLimits } from './limits.ts'

const secret = randomBytes(32).toString('hex')
let app: TestApi
let limited: TestApi
beforeAll(async () => {
  app = await startApi({ env: { JWT_SECRET: secret } })
  limited = await startApi({ env: { TRUST_PROXY: 'loopback' }, accountLimits: defaultAccountLimits })
})
afterAll(async () => {
  await app.stop()
  await limited.stop()
})

const login = (body: object) => app.http.post('/api/v1/user/login').send(body)

test('an unknown account and a wrong password get the same answer, except for the request id', async () => {
  const person = await signUp(app)
  const withoutId = (text: string) => text.replace(/"requestId":"[^"]+"/, '')
  const wrong = await login({ email: person.email, password: 'not my password' }).expect(401)
  const unknown = await login({ email: 'nobody@example.com', password: 'not my password' }).expect(401)
  const unknownPhone = await login({ phone: '+9779800000000', password: 'not my password' }).expect(401)
  expect(withoutId(unknown.text)).toBe(withoutId(wrong.text))
  expect(withoutId(unknownPhone.text)).toBe(withoutId(wrong.text))
  expect(wrong.headers['set-cookie']).toBeUndefined()
})

test('a password for a login has at least six characters, and the error says so', async () => {
  const answer = await login({ email: 'nobody@example.com', password: '12345' }).expect(400)
  expect(answer.body.message).toBe('Password must be at least 6 characters.')
  await login({ email: 'nobody@example.com', password: '123456' }).expect(401)
})

test.each([
  [{ password: testPassword }],
  [{ email: 'a@example.com', phone: '+9779812345678', password: testPassword }],
  [{ email: 'not an address', password: testPassword }],
  [{ phone: '123', password: testPassword }],
  [{ email: { $ne: null }, password: { $gt: '' } }],
  [{ email: ['a@example.com'], password: testPassword }],
  [{ phone: { $regex: '.*' }, password: testPassword }],
  [{ email: 'a@example.com', password: 'x'.repeat(1025) }]
])('login with %j answers 400', async (body) => {
  const answer = await login(body).expect(400)
  expect(answer.body.code).toBe('VALIDATION')
})

test('a password of eighty characters is not truncated at 72 bytes, nor at a zero byte', async () => {
  const long = `${'ab'.repeat(36)}tail-of-it`
  const person = await signUp(app, { password: long })
  await login({ email: person.email, password: long.slice(0, 72) }).expect(401)
  await login({ email: person.email, password: long }).expect(200)
  const zero = await signUp(app, { password: 'seven77\u0000after' })
  await login({ email: zero.email, password: 'seven77\u0000other' }).expect(401)
})

test('a password typed in another Unicode form is the same password', async () => {
  const person = await signUp(app, { password: 'crème brûlée 9'.normalize('NFD') })
  await login({ email: person.email, password: 'crème brûlée 9'.normalize('NFC') }).expect(200)
})

test('ten digits without a country code are a number in Nepal', async () => {
  const person = await signUp(app)
  await login({ phone: person.phone.slice(4), password: testPassword }).expect(200)
})

test('there is no default account', async () => {
  for (const name of ['admin', 'root', 'batti', 'test']) {
    for (const password of ['admin123', 'password', 'changeme', 'batti123']) {
      await login({ email: `${name}@example.com`, password }).expect(401)
    }
  }
})

const claimsOf = (token: string) => jwt.decode(token) as jwt.JwtPayload
const headerOf = (token: string) => jwt.decode(token, { complete: true })?.header as jwt.JwtHeader

test('tokens that are forged, of another kind or incomplete are refused', async () => {
  const person = await signUp(app)
  const { iat, exp, ...claims } = claimsOf(person.accessToken)
  const header = headerOf(person.accessToken)
  const sign = (payload: object, key: string, options: jwt.SignOptions = {}) =>
    jwt.sign(payload, key, {
      algorithm: 'HS256',
      header: { ...header, ...options.header, alg: options.algorithm ?? 'HS256' },
      ...options
    })
  const full = { ...claims, iat, exp }
  const without = (name: string) => Object.fromEntries(Object.entries(full).filter(([key]) => key !== name))
  const [, payload = '', signature = ''] = person.accessToken.split('.')
  const unsigned = (head: object) => `${Buffer.from(JSON.stringify(head)).toString('base64url')}.${payload}.`
  const forged: Record<string, string> = {
    'alg none': unsigned({ alg: 'none', typ: 'JWT' }),
    'alg none with our kid': unsigned({ ...header, alg: 'none' }),
    'HS512 with the right key': sign(full, secret, { algorithm: 'HS512' }),
    'a foreign key': sign(full, 'f'.repeat(64)),
    'no kid': sign(full, secret, { header: { alg: 'HS256', kid: undefined as unknown as string } }),
    'kid of a file': sign(full, '\0', { header: { alg: 'HS256', kid: '/dev/null' } }),
    'no exp': sign(without('exp'), secret),
    'no sub': sign(without('sub'), secret),
    'no sid': sign(without('sid'), secret),
    'no typ': sign(without('typ'), secret),
    'no iss': sign(without('iss'), secret),
    'no aud': sign(without('aud'), secret),
    'typ refresh': sign({ ...full, typ: 'refresh' }, secret),
    'another aud': sign({ ...full, aud: 'elsewhere' }, secret),
    expired: sign({ ...full, exp: Math.floor(app.clock.now() / 1000) - 1 }, secret),
    'a changed payload': `${person.accessToken.split('.')[0]}.${Buffer.from(JSON.stringify({ ...full, role: 'admin' })).toString('base64url')}.${signature}`,
    'the refresh token': person.refreshToken,
    garbage: 'abc.def.ghi',
    'very long': 'a'.repeat(3000)
  }
  for (const [name, token] of Object.entries(forged)) {
    const answer = await app.http.get('/api/v1/user/account').set('authorization', `Bearer ${token}`)
    expect(answer.status, name).toBe(401)
  }
  // The same claims with the right key, kid and algorithm are accepted: so the list above fails for the stated reasons.
  await app.http
    .get('/api/v1/user/account')
    .set('authorization', `Bearer ${sign(full, secret)}`)
    .expect(200)
  await app.http.post('/api/v1/user/refresh-token').send({ refreshToken: person.accessToken }).expect(401)
})

test('the role in a token decides nothing', async () => {
  const person = await signUp(app)
  const claims = claimsOf(person.accessToken)
  const token = jwt.sign({ ...claims, role: 'admin' }, secret, {
    algorithm: 'HS256',
    header: headerOf(person.accessToken)
  })
  await app.http.get('/api/v1/users').set('authorization', `Bearer ${token}`).expect(403)
})

test('the access token has exp in seconds, fifteen minutes ahead, and expires then', async () => {
  const person = await signUp(app)
  const claims = claimsOf(person.accessToken)
  expect(claims).toMatchObject({ sub: person.id, role: 'user', typ: 'access' })
  expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(15 * 60)
  app.clock.advance(15 * 60_000 - 2000)
  await app.http
    .get('/api/v1/user/account')
    .set(...bearer(person))
    .expect(200)
  app.clock.advance(3000)
  await app.http
    .get('/api/v1/user/account')
    .set(...bearer(person))
    .expect(401)
})

test('after a rotation of the key old tokens are valid until they expire, and without the old key they are refused', async () => {
  const person = await signUp(app)
  const database = app.uri
  const rotated = await startApi({
    uri: database,
    env: { JWT_SECRET: randomBytes(32).toString('hex'), JWT_SECRET_PREVIOUS: secret }
  })
  rotated.clock.advance(app.clock.now() - rotated.clock.now())
  await rotated.http
    .get('/api/v1/user/account')
    .set(...bearer(person))
    .expect(200)
  const renewed = await rotated.http
    .post('/api/v1/user/refresh-token')
    .send({ refreshToken: person.refreshToken })
    .expect(200)
  await rotated.stop()
  const removed = await startApi({ uri: database, env: { JWT_SECRET: randomBytes(32).toString('hex') } })
  await removed.http
    .get('/api/v1/user/account')
    .set(...bearer(person))
    .expect(401)
  await removed.http.post('/api/v1/user/refresh-token').send({ refreshToken: renewed.body.refreshToken }).expect(401)
  await removed.stop()
})

const from = (ip: string, body: object) => limited.http.post('/api/v1/user/login').set('x-forwarded-for', ip).send(body)

test('twenty wrong logins from one address are followed by 429, whatever the accounts; other addresses are not affected', async () => {
  const person = await signUp(limited)
  for (let tries = 0; tries < 20; tries += 1) {
    await from('203.0.113.7', { email: `nobody-${tries}@example.com`, password: 'wrong password' }).expect(401)
  }
  const unknown = await from('203.0.113.7', { email: 'nobody@example.com', password: 'wrong password' }).expect(429)
  expect(unknown.body.message).toMatch(/after \d+ seconds/)
  await from('203.0.113.7', { email: person.email, password: testPassword }).expect(429)
  await from('203.0.113.8', { email: person.email, password: testPassword }).expect(200)
  limited.clock.advance(15 * 60_000)
  await from('203.0.113.7', { email: person.email, password: testPassword }).expect(200)
})

test('people log in from an address that they are known at, however often strangers there fail; it tells nobody so', async () => {
  const [ip, wrong] = ['203.0.113.20', 'wrong password']
  const person = await signUp(limited)
  await from(ip, { email: person.email, password: testPassword }).expect(200)
  for (let tries = 0; tries < 20; tries += 1) {
    await from(ip, { email: `nobody-${tries}@example.com`, password: wrong }).expect(401)
  }
  const unknown = await from(ip, { email: 'nobody@example.com', password: wrong }).expect(429)
  const known = await from(ip, { email: person.email, password: wrong }).expect(429)
  const sentence = /^Please try again after \d+ seconds\.$/
  expect([unknown.body.message, known.body.message]).toEqual([
    expect.stringMatching(sentence),
    expect.stringMatching(sentence)
  ])
  await from(ip, { email: person.email, password: testPassword }).expect(200)
  await from(ip, { phone: person.phone, password: testPassword }).expect(200)
})

test('the address at which somebody has set a new password is a known one', async () => {
  const [ip, newPassword] = ['203.0.113.22', 'a lamp in every window 3']
  const { email } = await signUp(limited)
  const post = (path: string, body: object) =>
    limited.http.post(`/api/v1/user/${path}`).set('x-forwarded-for', ip).send(body)
  await post('forgot-password', { email }).expect(200)
  await post('reset-password', { email, otp: await limited.takeCode(email), newPassword }).expect(200)
  for (let tries = 0; tries < 20; tries += 1) {
    await from(ip, { email: `nobody-${tries}@example.com`, password: 'wrong password' }).expect(401)
  }
  await from(ip, { email, password: newPassword }).expect(200)
})

test('at a known address too, twenty wrong passwords for an account are followed by 429, and its own count alone', async () => {
  const ip = '203.0.113.21'
  const [person, neighbour] = [await signUp(limited), await signUp(limited)]
  for (const { email } of [person, neighbour]) await from(ip, { email, password: testPassword }).expect(200)
  for (let tries = 0; tries < 20; tries += 1) {
    await from(ip, { email: person.email, password: 'wrong password' }).expect(401)
  }
  await from(ip, { email: person.email, password: testPassword }).expect(429)
  await from(ip, { email: neighbour.email, password: testPassword }).expect(200)
  limited.clock.advance(15 * 60_000)
  await from(ip, { email: person.email, password: testPassword }).expect(200)
})

test('successful logins are not counted', async () => {
  const person = await signUp(limited)
  await Promise.all(
    Array.from({ length: 30 }, () => from('203.0.113.9', { email: person.email, password: testPassword }).expect(200))
  )
})

test('concurrent tries get no more than sequential ones, except for those in progress', async () => {
  const { email } = newAddresses()
  const answers = await Promise.all(
    Array.from({ length: 80 }, () => from('203.0.113.10', { email, password: 'wrong password' }))
  )
  const tried = answers.filter(({ status }) => status === 401).length
  expect(tried).toBeGreaterThanOrEqual(20)
  // Each processor may have one in progress when the twentieth is counted.
  expect(tried).toBeLessThan(20 + availableParallelism())
})

test("fifty wrong logins from fifty addresses block unknown addresses, not the owner's", async () => {
  const person = await signUp(limited)
  await from('198.51.100.1', { email: person.email, password: testPassword }).expect(200)
  for (let tries = 0; tries < 50; tries += 1) {
    await from(`192.0.2.${tries}`, { email: person.email, password: 'wrong password' }).expect(401)
  }
  await from('192.0.2.200', { email: person.email, password: 'wrong password' }).expect(429)
  await from('192.0.2.201', { email: person.email, password: testPassword }).expect(429)
  await from('198.51.100.1', { email: person.email, password: testPassword }).expect(200)
})
