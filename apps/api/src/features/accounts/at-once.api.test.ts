import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import type { AccountDocument } from './account.model.ts'
import { createAccountsRepository } from './accounts.repository.ts'
import { bearer, logIn, newAddresses, signUp, signUpAdmin, type Person, testPassword } from '../../testing/people.ts'

let app: TestApi
beforeAll(async () => {
  app = await startApi()
  mkdirSync(picturesFolder(), { recursive: true })
})
afterAll(() => app.stop())

type Admin = Awaited<ReturnType<typeof signUpAdmin>>

const picture = (background: string) =>
  sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .png()
    .toBuffer()
const picturesFolder = () => join(app.dataDir, 'files', 'images')
const storedPictures = () => readdirSync(picturesFolder()).toSorted()
const keyOf = (url: string) => url.split('/').at(-1)
const upload = async (person: Person, background: string) =>
  app.http
    .patch('/api/v1/user/update-account')
    .set(...bearer(person))
    .attach('profileImage', await picture(background), 'me.png')
const changePassword = (person: Person, newPassword: string) =>
  app.http
    .patch('/api/v1/user/change-password')
    .set(...bearer(person))
    .send({ oldPassword: testPassword, newPassword })
const deleteAccount = (person: Person) =>
  app.http
    .delete('/api/v1/user/delete-myaccount')
    .set(...bearer(person))
    .send({ password: testPassword })

test('one code sent four times at once makes one account, and keeps one picture', async () => {
  const { email, phone } = newAddresses()
  const fields = { name: 'Sita', email, phone, password: testPassword, address: 'Pokhara' }
  const registered = await app.http
    .post('/api/v1/user/register')
    .field(fields)
    .attach('profileImage', await picture('#102030'), 'me.png')
    .expect(201)
  const { registrationToken } = registered.body.data
  const otp = await app.takeCode(email)
  const before = storedPictures()
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => app.http.post('/api/v1/user/verify-registration').send({ otp, registrationToken }))
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400])
  const { user } = await logIn(app, email)
  const added = storedPictures().filter((name) => !before.includes(name))
  expect(added).toEqual([keyOf(user.profileImage?.url ?? '')])
})

test('of pictures that are uploaded at once the account keeps one, and the others are deleted', async () => {
  const person = await signUp(app)
  const before = storedPictures()
  const answers = await Promise.all(['#100000', '#200000', '#300000', '#400000'].map((tone) => upload(person, tone)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const { body } = await app.http.get('/api/v1/user/account').set(...bearer(person))
  const added = storedPictures().filter((name) => !before.includes(name))
  expect(added).toEqual([keyOf(body.data.profileImage.url)])
})

test('an account that is deleted while its pictures are uploaded leaves none', async () => {
  const person = await signUp(app)
  const before = storedPictures()
  const uploads = ['#110000', '#220000', '#330000', '#440000', '#550000'].map((tone) => upload(person, tone))
  const [deleted] = await Promise.all([deleteAccount(person), ...uploads])
  expect(deleted.status).toBe(200)
  expect(storedPictures().filter((name) => !before.includes(name))).toEqual([])
})

test('of three deletions of the own account at once one is answered 200, the others as any call after it', async () => {
  const person = await signUp(app)
  const answers = await Promise.all([1, 2, 3].map(() => deleteAccount(person)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401])
})

test('an account that staff delete twice at once is deleted once', async () => {
  const [admin, person] = [await signUpAdmin(app), await signUp(app)]
  const ends: string[] = []
  const off = app.events.on('account-deleted', ({ userId }) => void ends.push(userId))
  const remove = () => app.http.delete(`/api/v1/users/${person.id}`).set(...bearer(admin))
  const answers = await Promise.all([1, 2, 3].map(remove))
  off()
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404])
  expect(ends).toEqual([person.id])
})

test('of two admins who delete or demote each other at once one remains', async () => {
  const alone = await startApi()
  const others = [
    (by: Admin, other: Admin) => alone.http.delete(`/api/v1/users/${other.id}`).set(...bearer(by)),
    (by: Admin, other: Admin) =>
      alone.http
        .patch(`/api/v1/users/${other.id}`)
        .set(...bearer(by))
        .send({ role: 'user' })
  ]
  let first = await signUpAdmin(alone)
  for (const takeAway of others) {
    const second = await signUpAdmin(alone)
    const answers = await Promise.all([takeAway(first, second), takeAway(second, first)])
    // The loser may not exist any more.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await alone.connection.model('User').countDocuments({ role: 'admin' })).toBe(1)
    first = answers[0]?.status === 200 ? first : second
  }
  await alone.stop()
})

test('of two changes of a password at once one succeeds, and the other is told that the old one is wrong', async () => {
  const person = await signUp(app)
  const wanted = ['a lamp in the east 1', 'a lamp in the west 2']
  const answers = await Promise.all(wanted.map((password) => changePassword(person, password)))
  const won = answers.findIndex(({ status }) => status === 200)
  // The other may arrive after the winner has ended the session.
  expect([400, 401]).toContain(answers[1 - won]?.status)
  await logIn(app, person.email, wanted[won])
  const lost = await app.http.post('/api/v1/user/login').send({ email: person.email, password: wanted[1 - won] })
  expect(lost.status).toBe(401)
})

test('a login during a password change never outlives the change', async () => {
  const person = await signUp(app)
  const login = () => app.http.post('/api/v1/user/login').send({ email: person.email, password: testPassword })
  const [changed, ...logins] = await Promise.all([
    changePassword(person, 'a lamp in the north 3'),
    ...Array.from({ length: 12 }, login)
  ])
  expect(changed.status).toBe(200)
  for (const { status, body } of logins) {
    if (status !== 200) continue
    await app.http
      .get('/api/v1/user/account')
      .set(...bearer(body.data))
      .expect(401)
  }
})

test('many logins at once from a new address leave the other known ones', async () => {
  const person = await signUp(app)
  const accounts = createAccountsRepository(app.connection.model<AccountDocument>('User'))
  await Promise.all(Array.from({ length: 12 }, () => accounts.rememberIp(person.id, '203.0.113.31')))
  expect((await accounts.findById(person.id))?.knownIps).toEqual(['203.0.113.31', '127.0.0.1'])
})
