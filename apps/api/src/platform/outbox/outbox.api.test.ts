import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import { bearer, signUp, type Person } from '../../testing/people.ts'

let app: TestApi
let person: Person
beforeAll(async () => {
  // Host names that the server itself accepts, so that it is the outbox that refuses.
  app = await startApi({ env: { ALLOWED_HOSTS: 'evil.example,batti.test,192.168.1.7' } })
  person = await signUp(app, { name: '<b>Sita</b>' })
})
afterAll(() => app.stop())

test('programs get every message as JSON, newest first, and can ask for one receiver', async () => {
  await app.http
    .post('/api/v1/user/request-phone-verification')
    .set(...bearer(person))
    .expect(200)
  const all = (await app.http.get('/dev/outbox').set('accept', 'application/json').expect(200)).body
  expect(all[0]).toEqual({
    id: expect.any(String),
    kind: 'sms',
    to: person.phone,
    subject: '',
    text: expect.stringMatching(/^\d{6} /),
    at: app.clock.now()
  })
  expect(all[1]).toMatchObject({ kind: 'mail', to: person.email, html: expect.stringContaining('<!doctype html>') })
  const one = await app.http.get(`/dev/outbox?to=${person.email.toUpperCase()}`).expect(200)
  expect(one.body).toHaveLength(1)
  for (const to of [person.phone, encodeURIComponent(person.phone)]) {
    expect((await app.http.get(`/dev/outbox?to=${to}`)).body).toHaveLength(1)
  }
})

test('a page that another host name leads to finds no outbox', async () => {
  for (const host of ['evil.example', 'batti.test', '192.168.1.7:49998']) {
    await app.http.get('/dev/outbox').set('host', host).expect(404)
    await app.http.get('/dev/outbox/outbox.js').set('host', host).expect(404)
  }
  for (const host of ['localhost', '127.0.0.1:49998', '[::1]:49998'])
    await app.http.get('/dev/outbox').set('host', host).expect(200)
})

test('behind one of our proxies the outbox is only for the machine itself', async () => {
  const proxied = await startApi({ env: { TRUST_PROXY: '127.0.0.1' } })
  await proxied.http.get('/dev/outbox').set('x-forwarded-for', '203.0.113.9').expect(404)
  await proxied.http.get('/dev/outbox').expect(200)
  await proxied.stop()
})

test('a server that is reachable from the network has no outbox', async () => {
  const open = await startApi({ env: { HOST: '0.0.0.0' } })
  await open.http.get('/dev/outbox').expect(404)
  expect(open.platform.readOutbox?.('')).toEqual([])
  await open.stop()
})

test('people get a page with the code to copy, and names are never markup in it', async () => {
  const page = await app.http.get('/dev/outbox').set('accept', 'text/html,*/*;q=0.8').expect(200)
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.text).toMatch(/data-copy="\d{6}"/)
  expect(page.text).not.toContain('<b>Sita')
  expect(page.text).not.toMatch(/<script(?![^>]*src=)/)
  for (const [path, type] of [
    ['outbox.css', 'text/css'],
    ['outbox.js', 'javascript']
  ] as const) {
    const asset = await app.http.get(`/dev/outbox/${path}`).expect(200)
    expect(asset.headers['content-type']).toContain(type)
  }
  const empty = await app.http.get('/dev/outbox?to="><script>x').set('accept', 'text/html').expect(200)
  expect(empty.text).not.toContain('<script>x')
})

test('a mail is shown in its own layout, without running scripts', async () => {
  const [mail] = (await app.http.get(`/dev/outbox?to=${person.email}`)).body
  const shown = await app.http.get(`/dev/outbox/${mail.id}`).expect(200)
  expect(shown.headers['content-security-policy']).toContain('sandbox')
  expect(shown.headers['content-security-policy']).not.toContain('allow-scripts')
  await app.http.get('/dev/outbox/nothing').expect(404)
})

test('without the setting there is no outbox, and calls that need a mail report that it cannot be sent', async () => {
  const real = await startApi({ env: { DEV_OUTBOX: '0' } })
  await real.http.get('/dev/outbox').expect(404)
  const answer = await real.http.post('/api/v1/user/forgot-password').send({ email: 'a@example.com' }).expect(503)
  expect(answer.body.message).toContain('Email cannot be sent')
  await real.stop()
})
