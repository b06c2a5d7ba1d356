import { idempotencyHeader, repeatHeader } from '@batti/contracts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bearer, signUp, signUpAdmin, testPassword, type Person } from '../../testing/people.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
let sita: Person
let gita: Person
beforeAll(async () => {
  app = await startApi({ env: { LIMIT_ROOMS: '4' } })
})
beforeEach(async () => {
  sita = await signUp(app)
  gita = await signUp(app)
})
afterAll(() => app.stop())

const add = (person: Person, roomName: string, name: string | null) =>
  app.http
    .post('/api/v1/rooms')
    .set(...bearer(person))
    .set(name === null ? {} : { [idempotencyHeader]: name })
    .send({ roomName })
const namesOf = async (person: Person): Promise<string[]> => {
  const answer = await app.http.get('/api/v1/rooms').set(...bearer(person))
  return answer.body.rooms.map(({ roomName }: { roomName: string }) => roomName).toSorted()
}

test('a named POST that arrives again is executed once, and gets the answer of the first', async () => {
  const [first, beside] = await Promise.all([add(sita, 'Attic', 'a'), add(sita, 'Attic', 'a')])
  const later = await add(sita, 'Attic', 'a')
  expect([first.status, beside.status, later.status]).toEqual([201, 201, 201])
  expect([beside.body, later.body]).toEqual([first.body, first.body])
  expect(await namesOf(sita)).toEqual(['Attic'])
})

test('a POST that says that it was sent before gets the answer of the first, or is refused where that is not known', async () => {
  const { body } = await add(sita, 'Attic', 'a')
  expect((await add(sita, 'Attic', 'a').set(repeatHeader, '1').expect(201)).body).toEqual(body)
  for (const name of ['b', '', null]) await add(sita, 'Attic', name).set(repeatHeader, '1').expect(503)
  await add(gita, 'Attic', 'a').set(repeatHeader, '1').expect(503)
  expect([await namesOf(sita), await namesOf(gita)]).toEqual([['Attic'], []])
  await app.http
    .post('/api/v1/user/login')
    .set(repeatHeader, '1')
    .send({ email: sita.email, password: testPassword })
    .expect(503)
})

test('another name, no name, or another caller is another call', async () => {
  for (const name of ['a', 'b', null, null]) await add(sita, 'Loft', name).expect(201)
  await add(gita, 'Attic', 'a').expect(201)
  expect(await namesOf(sita)).toEqual(['Loft', 'Loft', 'Loft', 'Loft'])
  expect(await namesOf(gita)).toEqual(['Attic'])
})

test('a refusal is repeated as well, though the call would succeed by now', async () => {
  for (const roomName of ['Attic', 'Cellar', 'Hall', 'Loft']) await add(sita, roomName, null).expect(201)
  expect((await add(sita, 'Shed', 'c').expect(409)).body.code).toBe('LIMIT_REACHED')
  const { body } = await app.http.get('/api/v1/rooms').set(...bearer(sita))
  await app.http
    .delete(`/api/v1/rooms/${body.rooms[0]._id}`)
    .set(...bearer(sita))
    .expect(200)
  await add(sita, 'Shed', 'c').expect(409)
  await add(sita, 'Shed', 'd').expect(201)
})

test('so is that of an invalid call', async () => {
  const { body } = await add(sita, '', 'e').expect(400)
  const { errors, message } = (await add(sita, '', 'e').set(repeatHeader, '1').expect(400)).body
  expect({ errors, message }).toEqual({ errors: body.errors, message: body.message })
})

test('a refusal that says when to try again is not repeated', async () => {
  const requestCode = (name: string) =>
    app.http
      .post('/api/v1/user/request-phone-verification')
      .set(...bearer(gita))
      .set(idempotencyHeader, name)
  await requestCode('a').expect(200)
  const refused = await requestCode('b').expect(429)
  app.clock.advance(Number(refused.headers['retry-after']) * 1000)
  await requestCode('b').expect(200)
})

test('a login is executed every time, also beside another one: each has its own session and cookie', async () => {
  const logIn = () =>
    app.http
      .post('/api/v1/user/login')
      .set(...bearer(sita))
      .set(idempotencyHeader, 'f')
      .send({ email: sita.email, password: testPassword })
      .expect(200)
  const [first, second] = [await logIn(), await logIn()]
  expect(second.headers['set-cookie']).toBeDefined()
  expect(second.body.data.refreshToken).not.toBe(first.body.data.refreshToken)
})

test('an empty name is none', async () => {
  for (const roomName of ['Porch', 'Yard']) await add(gita, roomName, '').expect(201)
  expect(await namesOf(gita)).toEqual(['Porch', 'Yard'])
})

test('the name is not enough: without a login the repeated call is refused', async () => {
  await app.http.post('/api/v1/rooms').set(idempotencyHeader, 'a').send({ roomName: 'Attic' }).expect(401)
})

test('an upload that arrives again is read to its end, and stored once', async () => {
  const admin = await signUpAdmin(app)
  const upload = (name: string) =>
    app.http
      .post('/api/v1/device-firmware-files')
      .set(...bearer(admin))
      .set(idempotencyHeader, name)
      .attach('firmware', Buffer.alloc(4_000_000, 1), 'wall-2.0.0.bin')
  const first = await upload('a').expect(201)
  expect((await upload('a').expect(201)).body).toEqual(first.body)
  await upload('b').expect(409)
})
