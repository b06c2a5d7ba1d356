import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import { bearer, logIn, newAddresses, signUp, signUpAdmin, testPassword } from '../../testing/people.ts'
import { defaultAccountLimits } from './limits.ts'

let app: TestApi
beforeAll(async () => {
  app = await startApi()
})
afterAll(() => app.stop())

const newPassword = 'a lamp in every window 3'
const update = (person: { accessToken: string }) => app.http.patch('/api/v1/user/update-account').set(...bearer(person))
const changePassword = (person: { accessToken: string }, body: object) =>
  app.http
    .patch('/api/v1/user/change-password/')
    .set(...bearer(person))
    .send(body)
const deleteAccount = (person: { accessToken: string }, body: object) =>
  app.http
    .delete('/api/v1/user/delete-myaccount')
    .set(...bearer(person))
    .send(body)
const account = (person: { accessToken: string }) => app.http.get('/api/v1/user/account').set(...bearer(person))
const picture = () =>
  sharp({ create: { width: 640, height: 480, channels: 3, background: '#f2b44b' } })
    .jpeg()
    .toBuffer()

test('name, address, language, time zone and picture are changed, and only the sent fields', async () => {
  const person = await signUp(app)
  const answer = await update(person)
    .field({ name: 'Sita Gurung', language: 'ne', timezone: 'Asia/Kathmandu', address: 'Baglung' })
    .attach('profileImage', await picture(), 'me.jpg')
    .expect(200)
  expect(answer.body.data).toMatchObject({
    name: 'Sita Gurung',
    address: 'Baglung',
    language: 'ne',
    timezone: 'Asia/Kathmandu',
    email: person.email,
    emailVerification: true,
    phone: person.phone
  })
  const { url } = answer.body.data.profileImage
  const image = await app.http.get(url).expect(200)
  expect(image.headers['content-type']).toBe('image/webp')
  expect((await account(person)).body.data).toEqual(answer.body.data)
  const json = await update(person).send({ name: 'Sita' }).expect(200)
  expect(json.body.data).toMatchObject({ name: 'Sita', profileImage: { url } })

  // A new picture has a new address, and the old one is gone.
  const replaced = await update(person)
    .attach('profileImage', await picture(), 'me.jpg')
    .expect(200)
  expect(replaced.body.data.profileImage.url).not.toBe(url)
  await app.http.get(url).expect(404)
})

test('each change of the profile is announced to the other phones of the account', async () => {
  const person = await signUp(app)
  const changed: string[] = []
  const off = app.events.on('account-changed', ({ userId }) => void changed.push(userId))
  const { email, phone } = newAddresses()
  for (const fields of [{ name: 'Sita' }, { email }, { phone }, { address: 'Baglung' }])
    await update(person).send(fields).expect(200)
  await update(person)
    .attach('profileImage', await picture(), 'me.jpg')
    .expect(200)
  off()
  expect(changed).toEqual(Array(5).fill(person.id))
})

test('a picture sent at sign-up is the account’s picture', async () => {
  const { email, phone } = newAddresses()
  const registered = await app.http
    .post('/api/v1/user/register')
    .field({ name: 'Ram', email, phone, password: testPassword, address: 'Kathmandu' })
    .attach('profileImage', await picture(), 'me.png')
    .expect(201)
  const otp = await app.takeCode(email)
  await app.http
    .post('/api/v1/user/verify-registration')
    .send({ otp, registrationToken: registered.body.data.registrationToken })
    .expect(200)
  const { user } = await logIn(app, email)
  const image = await app.http
    .get(user.profileImage?.url ?? '')
    .buffer()
    .expect(200)
  expect(await sharp(image.body).metadata()).toMatchObject({ format: 'webp', width: 640, height: 480 })
})

test.each([
  [{ role: 'admin' }, 'role'],
  [{ emailVerification: true }, 'emailVerification'],
  [{ phoneVerification: true }, 'phoneVerification'],
  [{ _id: '665000000000000000000000' }, '_id'],
  [{ createdAt: '2020-01-01' }, 'createdAt'],
  [{ permissions: ['view users'] }, 'permissions'],
  [{ password: 'something else 9' }, 'password'],
  [{ name: '' }, 'name'],
  [{ email: 'nonsense' }, 'email'],
  [{ phone: '12' }, 'phone'],
  [{ phone: '+8613812345678' }, 'phone'],
  [{ timezone: '../etc/passwd' }, 'timezone'],
  [{ timezone: '+05:45' }, 'timezone'],
  [{ language: 'fr' }, 'language'],
  [{ name: { $set: 1 } }, 'name']
])('a profile cannot be set to %j', async (body, field) => {
  const person = await signUp(app)
  const answer = await update(person).send(body).expect(400)
  expect(answer.body.errors[0].path).toBe(field)
  expect((await account(person)).body.data).toEqual(person.user)
})

test('an empty phone removes the number', async () => {
  const person = await signUp(app)
  expect((await update(person).send({ phone: '' }).expect(200)).body.data.phone).toBeNull()
  await app.http.post('/api/v1/user/login').send({ phone: person.phone, password: testPassword }).expect(401)
})

test('changing the password requires the old one, ends every session, and is reported by mail', async () => {
  const person = await signUp(app)
  const other = await logIn(app, person.email)
  const wrong = await changePassword(person, { oldPassword: 'not it at all', newPassword }).expect(400)
  expect(wrong.body.message).toBe('Your old password is not correct.')
  await account(person).expect(200)
  await changePassword(person, { oldPassword: testPassword, newPassword: 'short' }).expect(400)
  await changePassword(person, { oldPassword: testPassword, newPassword: 'password123' }).expect(400)
  await changePassword(person, { oldPassword: testPassword, newPassword: testPassword }).expect(400)
  await changePassword(person, { newPassword }).expect(400)

  const ended: string[] = []
  const off = app.events.on('session-ended', ({ userId }) => void ended.push(userId))
  await changePassword(person, { oldPassword: testPassword, newPassword }).expect(200)
  off()
  expect(ended).toEqual([person.id, person.id])
  await account(person).expect(401)
  await account(other).expect(401)
  await app.http.post('/api/v1/user/login').send({ email: person.email, password: testPassword }).expect(401)
  await logIn(app, person.email, newPassword)
  expect((await app.takeMessage(person.email)).subject).toContain('password was changed')
})

test('guessing the password in a session is limited too', async () => {
  const limited = await startApi({
    accountLimits: { confirmationsPerAccount: defaultAccountLimits.confirmationsPerAccount }
  })
  const person = await signUp(limited)
  const guess = () =>
    limited.http
      .delete('/api/v1/user/delete-myaccount')
      .set(...bearer(person))
      .send({ password: 'a wrong guess' })
  for (let tries = 0; tries < 10; tries += 1) await guess().expect(400)
  await guess().expect(429)
  await limited.stop()
})

test('deleting an account requires the password, and leaves nothing of it', async () => {
  const person = await signUp(app)
  const other = await logIn(app, person.email)
  await update(person)
    .attach('profileImage', await picture(), 'me.jpg')
    .expect(200)
  const { url } = (await account(person)).body.data.profileImage
  await app.http
    .post('/api/v1/user/request-phone-verification')
    .set(...bearer(person))
    .expect(200)
  await app.http.post('/api/v1/user/forgot-password').send({ email: person.email }).expect(200)

  const wrong = await deleteAccount(person, { password: 'not it at all' }).expect(400)
  expect(wrong.body.message).toBe('Your password is not correct.')
  await deleteAccount(person, {}).expect(400)
  await account(person).expect(200)
  expect(app.erasedHomes).not.toContain(person.id)

  const deleted: string[] = []
  const off = app.events.on('account-deleted', ({ userId }) => void deleted.push(userId))
  await deleteAccount(person, { password: testPassword }).expect(200)
  off()
  expect(deleted).toEqual([person.id])
  expect(app.erasedHomes).toContain(person.id)
  await account(person).expect(401)
  await account(other).expect(401)
  await app.http.post('/api/v1/user/refresh-token').send({ refreshToken: person.refreshToken }).expect(401)
  await app.http.post('/api/v1/user/login').send({ email: person.email, password: testPassword }).expect(401)
  await app.http.get(url).expect(404)

  const database = app.connection.db
  for (const { name } of (await database?.listCollections().toArray()) ?? []) {
    const text = JSON.stringify(await database?.collection(name).find().toArray())
    for (const secret of [person.email, person.phone, person.id]) expect(text, name).not.toContain(secret)
  }
  expect(app.logged()).not.toContain(person.email)
  // The address can be used again.
  const again = await signUp(app, { email: person.email })
  expect(again.id).not.toBe(person.id)
})

test('the only admin cannot delete their account', async () => {
  const alone = await startApi()
  const admin = await signUpAdmin(alone)
  const remove = () =>
    alone.http
      .delete('/api/v1/user/delete-myaccount')
      .set(...bearer(admin))
      .send({ password: testPassword })
  await remove().expect(409)
  await signUpAdmin(alone)
  await remove().expect(200)
  await alone.stop()
})

test('an interrupted deletion is finished at the next start, and nobody can log in meanwhile', async () => {
  const person = await signUp(app)
  await app.connection.model('User').updateOne({ _id: person.id }, { deletingAt: new Date() })
  await account(person).expect(401)
  await app.http.post('/api/v1/user/login').send({ email: person.email, password: testPassword }).expect(401)
  await app.accounts.start()
  expect(app.erasedHomes).toContain(person.id)
  expect(await app.connection.model('User').findById(person.id).lean()).toBeNull()
  expect((await app.takeMessage(person.email)).subject).toContain('account was deleted')
})

test('no answer of the account calls contains a hash or an internal field', async () => {
  const person = await signUp(app)
  expect(Object.keys((await account(person)).body.data).toSorted()).toEqual([
    '_id',
    'address',
    'countryCode',
    'createdAt',
    'email',
    'emailVerification',
    'language',
    'name',
    'phone',
    'phoneVerification',
    'profileImage',
    'role'
  ])
})
