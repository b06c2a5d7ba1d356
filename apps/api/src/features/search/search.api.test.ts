import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '../../platform/people/actor.ts'
import { inBatches } from '../../platform/store/batches/in-batches.ts'
import { searchKeysOf } from '../../platform/store/lists/search-keys.ts'
import { startApi, type TestApi } from '../../testing/test-api.ts'

let app: TestApi
let admin: Actor
let sita: Actor
let ram: Actor

beforeAll(async () => {
  app = await startApi({ hearsQueries: true })
  admin = app.person('admin')
  sita = app.person()
  ram = app.person()
  const { id } = await app.device(ram)
  await app.call('PATCH', `/devices/${id}`, admin, { name: 'Bath' })
})
afterAll(() => app.stop())

describe('GET /search', () => {
  test('finds boards, people and pages by name, MAC, phone and id', async () => {
    const found = async (q: string, as = admin) =>
      (await app.call('GET', `/search?q=${encodeURIComponent(q)}`, as)).data
    const bath = (await found('bath')).boards
    expect(bath).toMatchObject([{ setName: 'Bath', owner: { _id: ram.userId, name: ram.name } }])
    expect((await found(bath[0].deviceMac.replaceAll(':', '.'))).boards).toHaveLength(1)
    expect((await found(bath[0]._id)).boards).toHaveLength(1)
    expect((await found(sita.userId)).users).toMatchObject([{ _id: sita.userId }])
    const [{ phone }] = (await found(ram.name)).users
    expect((await found(`${phone.slice(4, 7)} ${phone.slice(7)}`)).users).toMatchObject([{ _id: ram.userId }])
    expect((await found('schedules')).pages).toEqual([{ path: '/admin/schedules', title: 'Schedules' }])
  })

  test('finds a MAC with any separators, and a phone number too', async () => {
    const found = async (q: string) => (await app.call('GET', `/search?q=${encodeURIComponent(q)}`, admin)).data
    const { deviceMac } = (await found('bath')).boards[0]
    for (const separator of [' ', '_', '/', ' - ', '']) {
      const text = deviceMac.replaceAll(':', separator)
      expect((await found(text)).boards, text).toMatchObject([{ deviceMac }])
    }
    const [{ phone }] = (await found(ram.userId)).users
    const [country, area, number] = [phone.slice(1, 4), phone.slice(4, 7), phone.slice(7)]
    const nepali = phone.slice(1).replaceAll(/\d/g, (digit: string) => String.fromCharCode(0x966 + Number(digit)))
    // As copied from a list of contacts.
    const copied = `\u202a${phone}\u202c`
    for (const text of [nepali, copied, `(${area}) ${number}`, `(+${country}) ${area}/${number}`, `${area}.${number}`])
      expect((await found(text)).users, text).toMatchObject([{ _id: ram.userId }])
  })

  test.each(['Bed 12', 'Cafe', '12/34', 'Add 1'])('finds %s, which could be a MAC, by its name', async (name) => {
    const { id } = await app.device(ram)
    await app.call('PATCH', `/devices/${id}`, admin, { name })
    const { boards } = (await app.call('GET', `/search?q=${encodeURIComponent(name)}`, admin)).data
    expect(boards).toMatchObject([{ _id: id }])
  })

  test('shows the newest five of thousands of matches, without counting them', async () => {
    const count = 2050
    const [devices, users] = [app.connection.collection('devices'), app.connection.collection('users')]
    const name = (index: number): string => `Quartz ${index}`
    const copies = async (of: typeof devices, field: string, own: (index: number) => object) => {
      const { _id, ...one } = (await of.findOne({})) ?? {}
      const copy = (index: number) => ({
        ...one,
        ...own(index),
        [field]: name(index),
        searchKeys: { [field]: searchKeysOf(name(index)) },
        createdAt: new Date(Date.parse('2030-01-01') + index)
      })
      for (const batch of inBatches(Array.from({ length: count }, (_, index) => copy(index))))
        await of.insertMany(batch)
    }
    await copies(devices, 'setName', (index) => ({ deviceMac: `quartz-${index}` }))
    await copies(users, 'name', (index) => ({
      loginEmailKey: `quartz${index}@example.com`,
      loginPhone: `+97791${index}`
    }))
    const asked: string[] = []
    const client = app.connection.getClient()
    const hear = ({ command }: { command: object }): void => void asked.push(JSON.stringify(command))
    client.on('commandStarted', hear)
    try {
      const { data } = await app.call('GET', '/search?q=quartz', admin)
      const newest = [1, 2, 3, 4, 5].map((back) => name(count - back))
      expect(data.boards.map(({ setName }: { setName: string }) => setName)).toEqual(newest)
      expect(data.users.map((user: { name: string }) => user.name)).toEqual(newest)
      // A count ends at the row after those that a list counts.
      expect(asked.filter((command) => /"\$?limit":10001\b/.test(command))).toEqual([])
    } finally {
      client.off('commandStarted', hear)
      await devices.deleteMany({ deviceMac: /^quartz/ })
      await users.deleteMany({ name: /^Quartz/ })
    }
  })

  test('searches within the permissions', async () => {
    const some = app.person('monitor', ['view devices'])
    expect((await app.call('GET', '/search?q=Person', some)).data.users).toEqual([])
    expect((await app.call('GET', '/search?q=bath', some)).data.boards).toHaveLength(1)
    const none = app.person('monitor')
    expect((await app.call('GET', '/search?q=da', none)).data).toEqual({ boards: [], users: [], pages: [] })
    expect((await app.call('GET', '/search?q=bath', sita)).statusCode).toBe(403)
  })

  test.each([
    ['is required', ''],
    ['must be at least 2 characters', '?q=%20a'],
    ['must be at most 200 characters', `?q=${'a'.repeat(201)}`],
    ['must not contain control characters', '?q=%00a']
  ])('is refused if q %s', async (message, query) => {
    expect(await app.call('GET', `/search${query}`, admin)).toMatchObject({
      statusCode: 400,
      errors: [{ path: 'q', message }]
    })
  })
})
