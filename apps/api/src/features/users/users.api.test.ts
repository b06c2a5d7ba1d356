import { monitorPermissions } from '@batti/contracts'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMac } from '../../testing/a-mac.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'
import { bearer, logIn, newAddresses, signUp, signUpAdmin, type Person, testPassword } from '../../testing/people.ts'

let app: TestApi
let admin: Omit<Person, 'phone'>
beforeAll(async () => {
  app = await startApi()
  admin = await signUpAdmin(app)
})
afterAll(() => app.stop())

const as = (person: { accessToken: string }) => ({
  get: (path: string) => app.http.get(`/api/v1${path}`).set(...bearer(person)),
  post: (path: string, body: object) =>
    app.http
      .post(`/api/v1${path}`)
      .set(...bearer(person))
      .send(body),
  patch: (path: string, body: object) =>
    app.http
      .patch(`/api/v1${path}`)
      .set(...bearer(person))
      .send(body),
  put: (path: string, body: object) =>
    app.http
      .put(`/api/v1${path}`)
      .set(...bearer(person))
      .send(body),
  delete: (path: string) => app.http.delete(`/api/v1${path}`).set(...bearer(person))
})
const newUser = (fields: object = {}) => ({ name: 'Hari Thapa', ...newAddresses(), password: testPassword, ...fields })

async function monitorWith(permissions: readonly string[]) {
  const { email, phone } = newAddresses()
  await as(admin).post('/monitors', { name: 'Maya', email, phone, permissions }).expect(201)
  const { text } = await app.takeMessage(email)
  const token = /token=([\w-]+)/.exec(text)?.[1]
  await app.http.post('/api/v1/user/reset-password').send({ token, newPassword: testPassword }).expect(200)
  return logIn(app, email)
}

test('staff find an account by an address that it has changed, and by the new one before it is verified', async () => {
  const person = await signUp(app)
  const next = newAddresses()
  const idsBy = async (text: string) =>
    (await as(admin).get(`/users?search=${encodeURIComponent(text)}`)).body.users.map(({ _id }: { _id: string }) => _id)
  await as(person)
    .patch('/user/update-account', { ...next, phone: `+977${next.phone}` })
    .expect(200)
  for (const text of [person.email, person.email.toUpperCase(), next.email, `+977 ${next.phone}`, next.phone])
    expect(await idsBy(text), text).toEqual([person.id])
  const code = /\b\d{6}\b/
  await as(person).post('/user/request-email-verification', {}).expect(200)
  const [otp] = code.exec((await app.takeMessage(next.email)).text) ?? []
  await as(person).post('/user/verify-email', { otp }).expect(200)
  expect(await idsBy(person.email), 'which still gets reset codes').toEqual([person.id])
  expect(await idsBy(person.email.slice(0, -3)), 'a part of it').toEqual([])
})

test.each(['+977 98-5', '(977) 98.5', '00977 985', '098-5', '९८५'])(
  'staff find a phone number as people write it: %s…',
  async (start) => {
    const person = await signUp(app)
    const phone = `985${newAddresses().phone.slice(3)}`
    await as(admin).patch(`/users/${person.id}`, { phone, countryCode: '+977' }).expect(200)
    const found = await as(admin).get(`/users?search=${encodeURIComponent(`${start}${phone.slice(3)}`)}`)
    expect(found.body.users.map(({ _id }: { _id: string }) => _id)).toEqual([person.id])
  }
)

test('an admin lists accounts with their counts, searches, sorts and pages them', async () => {
  const person = await signUp(app, { name: 'Zenith Limbu' })
  const theirs = { userId: new Types.ObjectId(person.id) }
  for (let boards = 0; boards < 3; boards += 1) await app.device({ userId: person.id }, { isOnline: false })
  await app.connection.collection('schedules').insertMany([{ ...theirs }, { ...theirs }])
  await app.connection.collection('rooms').insertOne({ ...theirs })
  const found = (await as(admin).get('/users?search=zenith').expect(200)).body
  expect(found.users).toEqual(found.data.users)
  expect(found).toMatchObject({ total: 1, page: 1, totalPages: 1 })
  expect(found.users[0]).toMatchObject({ _id: person.id, deviceCount: 3, scheduleCount: 2, roomCount: 1, role: 'user' })
  expect(JSON.stringify(found)).not.toMatch(/hash|password|knownIps|loginEmail/i)
  expect((await as(admin).get(`/users?search=${person.id}`)).body.total).toBe(1)
  expect((await as(admin).get('/users?search=.*')).body.total).toBe(0)

  const names = async (sort: string) =>
    (await as(admin).get(`/users?sort=${sort}`)).body.users.map(({ name }: { name: string }) => name)
  expect((await names('-name'))[0]).toBe('Zenith Limbu')
  expect((await names('name')).at(-1)).toBe('Zenith Limbu')
  const page = (await as(admin).get('/users?page=2&limit=1')).body
  expect(page.users).toHaveLength(1)
  expect(page.totalPages).toBe(page.total)
  await as(admin).get('/users?page=0').expect(400)
  expect((await as(admin).get('/users?limit=100000').expect(200)).body.limit).toBe(500)
})

test('an admin adds an account, which can log in at once and is notified', async () => {
  const body = newUser()
  const created = await as(admin).post('/users', body).expect(201)
  expect(created.body.data).toMatchObject({
    name: 'Hari Thapa',
    email: body.email,
    phone: `+977${body.phone}`,
    role: 'user',
    emailVerification: false,
    deviceCount: 0
  })
  await logIn(app, body.email)
  expect((await app.takeMessage(body.email)).text).not.toContain(testPassword)
  const twin = await as(admin)
    .post('/users', newUser({ email: body.email.toUpperCase() }))
    .expect(409)
  expect(twin.body.errors).toEqual([{ path: 'email', message: 'Another account has this email.' }])
})

test.each([
  [{ role: 'superadmin' }, 'role'],
  [{ role: 'Admin ' }, 'role'],
  [{ role: ['admin'] }, 'role'],
  [{ role: { $ne: 1 } }, 'role'],
  [{ phone: '12345' }, 'phone'],
  [{ email: 'x' }, 'email'],
  [{ name: '' }, 'name'],
  [{ password: 'short' }, 'password'],
  [{ password: 'password123' }, 'password'],
  [{ emailVerification: true }, 'emailVerification'],
  [{ _id: 'x' }, '_id']
])('an account cannot be added with %j', async (fields, path) => {
  const answer = await as(admin).post('/users', newUser(fields)).expect(400)
  expect(answer.body.errors.map((fault: { path: string }) => fault.path)).toContain(path)
})

test('fields that an admin sends for a user are stored or refused, never ignored', async () => {
  const details = { address: 'Lazimpat 3', language: 'ne' }
  const made = await as(admin).post('/users', newUser(details)).expect(201)
  expect(made.body.data).toMatchObject(details)
  const path = `/users/${made.body.data._id}`
  const moved = { address: 'Patan 7', language: 'en' }
  expect((await as(admin).patch(path, moved).expect(200)).body.data).toMatchObject(moved)
  const refused = { deviceCount: 7, countryCode: '+44', timezone: 'Asia/Tokyo', profileImage: null, createdAt: 'now' }
  for (const [field, value] of Object.entries(refused)) {
    const answer = await as(admin).patch(path, { [field]: value })
    expect([field, answer.status, answer.body.errors?.[0]?.path]).toEqual([field, 400, field])
  }
})

test('a wrong phone and role are answered with the specified sentences', async () => {
  expect((await as(admin).post('/users', newUser({ phone: '1' }))).body.message).toBe(
    'Phone number must be exactly 10 digits.'
  )
  for (const role of ['', null])
    expect((await as(admin).post('/users', newUser({ role }))).body.message).toBe('Role is required.')
})

test('an unknown role is refused with the list of roles', async () => {
  const person = await signUp(app)
  for (const answer of [
    await as(admin).post('/users', newUser({ role: 'x' })),
    await as(admin).patch(`/users/${person.id}`, { role: 'owner' })
  ])
    expect(answer.body).toMatchObject({ statusCode: 400, message: 'role: must be user or admin or monitor' })
})

test('an admin changes a number as it stands in the record; another country code beside it is refused', async () => {
  const person = await signUp(app)
  const { phone } = newAddresses()
  const patch = (body: object) => as(admin).patch(`/users/${person.id}`, body)
  const recorded = { phone: `+91${phone}`, countryCode: '+91' }
  expect((await patch(recorded).expect(200)).body.data).toMatchObject(recorded)
  expect((await patch({ phone: `+977${phone}` }).expect(200)).body.data).toMatchObject({ countryCode: '+977' })
  const refused = await patch({ phone: `+977${phone}`, countryCode: '+91' }).expect(400)
  expect(refused.body.errors).toEqual([{ path: 'countryCode', message: 'is not that of the phone number.' }])
  for (const wrong of [`+49${phone}`, `+9779${phone}`]) await patch({ phone: wrong }).expect(400)
})

test('an admin changes an account; a new e-mail logs in at once and has to be verified', async () => {
  const person = await signUp(app)
  const { email, phone } = newAddresses()
  const changed = await as(admin).patch(`/users/${person.id}`, { name: 'Sita Rai', email, phone }).expect(200)
  expect(changed.body.data).toMatchObject({ name: 'Sita Rai', email, emailVerification: false, phone: `+977${phone}` })
  await logIn(app, email)
  await app.http.post('/api/v1/user/login').send({ email: person.email, password: testPassword }).expect(401)
  const received = async () => (await app.messages(person.email)).map(({ text }) => text).join('')
  await expect.poll(received).toContain(`${email}. It logs you in from now on`)
  await expect.poll(received).toContain(`shows the number +977${phone}.\n`)
  const other = await signUp(app)
  const taken = await as(admin).patch(`/users/${person.id}`, { email: other.email }).expect(409)
  expect(taken.body.errors).toEqual([{ path: 'email', message: 'Another account has this email.' }])
  await as(admin).patch(`/users/${person.id}`, { password: 'another word 8' }).expect(400)
  await as(admin).patch('/users/665000000000000000000000', { name: 'Nobody' }).expect(404)
  await as(admin).patch('/users/nonsense', { name: 'Nobody' }).expect(400)
})

test('an edit of a name writes no role: it must not restore one that was revoked at the same moment', async () => {
  const person = await signUp(app)
  const written: string[] = []
  app.connection.set('debug', (collection: string, method: string, _filter: unknown, update: object) => {
    if (collection === 'users' && method === 'findOneAndUpdate') written.push(JSON.stringify(update))
  })
  await as(admin).patch(`/users/${person.id}`, { name: 'Renamed' }).expect(200)
  app.connection.set('debug', false)
  expect(written).toHaveLength(1)
  expect(written[0]).toContain('Renamed')
  expect(written[0]).not.toMatch(/role|permissions|email|phone/)
})

test('a role applies from the next request on, whatever the token says, and sockets are told', async () => {
  const second = await signUpAdmin(app)
  await as(second).get('/users').expect(200)
  const changed: string[] = []
  const off = app.events.on('account-changed', ({ userId }) => void changed.push(userId))
  await as(admin).patch(`/users/${second.id}`, { role: 'user' }).expect(200)
  off()
  expect(changed).toEqual([second.id])
  for (const path of ['/users', '/monitors', '/unauthorized-logs']) await as(second).get(path).expect(403)
  await as(second).get('/user/account').expect(200)
})

test('a monitor who was something else meanwhile has none of the earlier permissions', async () => {
  const monitor = await monitorWith(['view users'])
  for (const role of ['user', 'monitor']) await as(admin).patch(`/users/${monitor.id}`, { role }).expect(200)
  await as(monitor).get('/users').expect(403)
})

test('an admin sees the sessions of a user, until the account is gone', async () => {
  const person = await signUp(app)
  const path = `/users/${person.id}/sessions`
  const { sessions } = (await as(admin).get(path).expect(200)).body
  expect(sessions).toMatchObject([{ userAgent: expect.any(String) as string, ip: expect.any(String) as string }])
  expect(sessions[0]).not.toHaveProperty('current')
  await as(admin).delete(`/users/${person.id}`).expect(200)
  await as(admin).get(path).expect(404)
})

test("an admin deletes an account, but neither their own nor the last admin's", async () => {
  const person = await signUp(app)
  await as(admin).delete(`/users/${person.id}`).expect(200)
  await as(person).get('/user/account').expect(401)
  expect(app.erasedHomes).toContain(person.id)
  await as(admin).delete(`/users/${person.id}`).expect(404)
  await as(admin).delete(`/users/${admin.id}`).expect(409)
  await as(admin).patch(`/users/${admin.id}`, { role: 'user' }).expect(409)
})

test('an account that staff delete is gone everywhere at once, with its calls in progress', async () => {
  const person = await signUp(app)
  const theirs = { userId: new Types.ObjectId(person.id) }
  const answers: number[] = []
  app.accounts.onErase(async (userId) => {
    if (userId !== person.id || answers.length > 0) return
    const { status: room } = await as(admin).post('/rooms', { roomName: 'Late', userId })
    const { status: board } = await as(admin).post('/devices', { deviceCode: 'BT4', deviceMac: aMac(), userId })
    answers.push(room, board)
    await app.connection.collection('rooms').insertOne({ ...theirs })
  })
  await as(admin).delete(`/users/${person.id}`).expect(200)
  expect(answers).toEqual([404, 404])
  expect(await app.connection.collection('rooms').countDocuments(theirs)).toBe(0)
})

test('an admin invites a monitor, who sets a password with the link within 72 hours', async () => {
  const { email, phone } = newAddresses()
  const created = await as(admin)
    .post('/monitors', { name: 'Maya', email, phone, permissions: ['view users', 'view users'] })
    .expect(201)
  expect(created.body.data).toMatchObject({ name: 'Maya', email, phone: `+977${phone}`, permissions: ['view users'] })
  await app.http.post('/api/v1/user/login').send({ email, password: testPassword }).expect(401)
  const { text, subject } = await app.takeMessage(email)
  expect(subject).toContain('invited')
  const token = /token=([\w-]+)/.exec(text)?.[1]
  app.clock.advance(71 * 3_600_000)
  await app.http.get('/api/v1/users/verify-reset-token').query({ token }).expect(200)
  await app.http.post('/api/v1/user/reset-password').send({ token, newPassword: testPassword }).expect(200)
  await app.http.post('/api/v1/user/reset-password').send({ token, newPassword: 'another word 8' }).expect(400)
  const monitor = await logIn(app, email)
  expect(monitor.user).toMatchObject({ role: 'monitor', permissions: ['view users'], emailVerification: true })
  // A first password is no change of one.
  expect(await app.messages(email)).toHaveLength(1)
  admin = await logIn(app, admin.email)

  const late = newAddresses()
  await as(admin)
    .post('/monitors', { name: 'Late', ...late, permissions: [] })
    .expect(201)
  const lateToken = /token=([\w-]+)/.exec((await app.takeMessage(late.email)).text)?.[1]
  app.clock.advance(72 * 3_600_000 + 1)
  await app.http.post('/api/v1/user/reset-password').send({ token: lateToken, newPassword: testPassword }).expect(400)
  admin = await logIn(app, admin.email)
})

test('an invitation is sent to the right address once an admin has corrected it, and the earlier link is invalid', async () => {
  const [wrong, right] = [newAddresses(), newAddresses()]
  const body = { name: 'Maya', permissions: [] }
  const tokenOf = async (email: string) => /token=([\w-]+)/.exec((await app.takeMessage(email)).text)?.[1]
  const { _id: id } = (
    await as(admin)
      .post('/monitors', { ...body, ...wrong })
      .expect(201)
  ).body.data
  const earlier = await tokenOf(wrong.email)
  await as(admin)
    .put(`/monitors/${id}`, { ...body, ...right })
    .expect(200)
  const token = await tokenOf(right.email)
  await app.http.get('/api/v1/users/verify-reset-token').query({ token: earlier }).expect(400)
  await app.http.post('/api/v1/user/reset-password').send({ token: earlier, newPassword: testPassword }).expect(400)
  await app.http.post('/api/v1/user/reset-password').send({ token, newPassword: testPassword }).expect(200)
  expect((await logIn(app, right.email)).user).toMatchObject({ role: 'monitor', emailVerification: true })
})

test('monitors are listed, searched, replaced and deleted; other accounts are not found there', async () => {
  const monitor = await monitorWith(['view users'])
  const list = (await as(admin).get(`/monitors?search=${monitor.email}`).expect(200)).body
  expect(list.monitors).toEqual(list.data.monitors)
  expect(list.monitors[0]).toMatchObject({ _id: monitor.id, permissions: ['view users'] })
  const body = { name: 'Maya Rai', email: monitor.email, phone: newAddresses().phone, permissions: ['view logs'] }
  const replaced = await as(admin).put(`/monitors/${monitor.id}`, body).expect(200)
  expect(replaced.body.data).toMatchObject({ name: 'Maya Rai', phone: `+977${body.phone}`, permissions: ['view logs'] })
  await as(monitor).get('/users').expect(403)

  const person = await signUp(app)
  await as(admin).put(`/monitors/${person.id}`, body).expect(404)
  await as(admin).delete(`/monitors/${person.id}`).expect(404)
  await as(admin)
    .post('/monitors', { ...body, email: person.email })
    .expect(409)
  for (const wrong of [
    { permissions: ['view everything'] },
    { role: 'admin' },
    { name: ' ' },
    { phone: 'abc' },
    { email: 'x' },
    // Fields of other account calls that this one would ignore: a number in India would become one in Nepal.
    { countryCode: '+91' },
    { address: 'Patan' },
    { language: 'ne' },
    { timezone: 'Asia/Kolkata' }
  ]) {
    await as(admin)
      .post('/monitors', { ...body, email: newAddresses().email, ...wrong })
      .expect(400)
  }
  await as(admin).delete(`/monitors/${monitor.id}`).expect(200)
  await as(monitor).get('/user/account').expect(401)
})

test('a monitor sees users only with that permission, without their addresses, and can change nothing', async () => {
  await signUp(app, { address: 'Secret Street 1' })
  for (const permission of monitorPermissions) {
    const monitor = await monitorWith([permission])
    const answer = await as(monitor).get('/users')
    expect(answer.status, permission).toBe(permission === 'view users' ? 200 : 403)
    expect(answer.text).not.toContain('Secret Street')
  }
  const all = await monitorWith(monitorPermissions)
  const person = await signUp(app)
  await as(all).get('/monitors').expect(403)
  await as(all).get('/unauthorized-logs').expect(403)
  await as(all)
    .post('/users', newUser({ role: 'admin' }))
    .expect(403)
  await as(all).patch(`/users/${person.id}`, { role: 'admin' }).expect(403)
  await as(all).delete(`/users/${person.id}`).expect(403)
  expect((await as(admin).get('/users?search=Sita')).text).toContain('Secret Street')
})

test('users and strangers can make none of the staff’s calls', async () => {
  const person = await signUp(app)
  const id = '665000000000000000000000'
  const calls: [method: 'get' | 'post' | 'patch' | 'put' | 'delete', path: string][] = [
    ['get', '/users'],
    ['post', '/users'],
    ['patch', `/users/${id}`],
    ['delete', `/users/${id}`],
    ['get', `/users/${id}/sessions`],
    ['get', '/monitors'],
    ['post', '/monitors'],
    ['put', `/monitors/${id}`],
    ['delete', `/monitors/${id}`],
    ['get', '/unauthorized-logs'],
    ['patch', `/unauthorized-logs/${id}`],
    ['delete', `/unauthorized-logs/${id}`]
  ]
  for (const [method, path] of calls) {
    const stranger = await app.http[method](`/api/v1${path}`).send({})
    expect(stranger.status, `${method} ${path}`).toBe(401)
    const user = await app.http[method](`/api/v1${path}`)
      .set(...bearer(person))
      .send({})
    expect(user.status, `${method} ${path}`).toBe(403)
    expect(user.body.message).toBe('You do not have permission to perform this action.')
  }
})

test('the admin of the settings is created once, and an existing account is not changed by them', async () => {
  const fresh = await startApi({ env: { ADMIN_EMAIL: 'chief@example.com', ADMIN_PASSWORD: testPassword } })
  const chief = await logIn(fresh, 'chief@example.com')
  expect(chief.user).toMatchObject({ role: 'admin', emailVerification: true })
  await fresh.accounts.start()
  const users = (await fresh.http.get('/api/v1/users').set(...bearer(chief))).body
  expect(users.total).toBe(1)
  await fresh.stop()
})
