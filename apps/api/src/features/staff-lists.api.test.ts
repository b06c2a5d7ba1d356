import { allRoutes } from '@batti/contracts/routes'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { Actor } from '../platform/people/actor.ts'
import { eveningSchedule } from '../testing/evening-schedule.ts'
import { startApi, type TestApi } from '../testing/test-api.ts'

let app: TestApi
let admin: Actor
let sita: Actor
let ram: Actor

beforeAll(async () => {
  app = await startApi({ at: '2026-11-20T06:00:00Z' })
  admin = app.person('admin')
  sita = app.person()
  ram = app.person()
  for (const [owner, name, fans] of [
    [sita, 'Attic', [1]],
    [ram, 'Bath', []],
    [sita, 'Cellar', [0]]
  ] as const) {
    const room = await app.call('POST', '/rooms', admin, { roomName: `Room of ${name}`, userId: owner.userId })
    const { id, switchIds } = await app.device(owner, {
      outlets: 2,
      roomId: room.data._id,
      fanIndexes: [...fans]
    })
    await app.call('PATCH', `/devices/${id}`, admin, { name, labels: [name.toLowerCase()] })
    await app.call('PATCH', `/switches/by-id/${switchIds[0]}`, admin, {
      switchName: `${name} lamp`,
      status: name !== 'Attic'
    })
    await app.call('POST', '/schedules', admin, {
      userId: owner.userId,
      ...eveningSchedule({ id, switchIds }),
      label: `Evening ${name}`
    })
  }
})
afterAll(() => app.stop())

type Row = Record<string, never> & { _id: string }
/** Lists that can be sorted, with the field of their rows. */
const lists = allRoutes.flatMap(({ name, route }) => {
  const sort = route.query instanceof z.ZodObject ? (route.query.shape['sort'] as z.ZodType | undefined) : undefined
  const isSorted = sort instanceof z.ZodOptional && sort.unwrap() instanceof z.ZodEnum
  if (route.rows === undefined || !isSorted || route.path.includes('{')) return []
  const columns = (sort.unwrap() as z.ZodEnum).options.map(String)
  return [{ name, path: route.path, rows: route.rows, columns }]
})
const rowsOf = async (path: string, rows: string): Promise<Row[]> => {
  const answer = await app.call('GET', path, admin)
  expect(answer.statusCode, path).toBe(200)
  return (answer as unknown as Record<string, Row[]>)[rows] ?? []
}

test('rollouts are sorted by version numerically, those of settings first', async () => {
  const versions = ['3.10.0', null, '3.9.0', '4.0']
  const rollout = {
    kind: 'firmware',
    isSingle: false,
    state: 'done',
    total: 1,
    stages: [],
    isActive: false,
    paused: null,
    set: null,
    allowedHours: null,
    maxFailurePercent: 5,
    atOnce: 1,
    updateWhen: 'any',
    follow: false,
    createdBy: null
  }
  const made = versions.map((version) => ({ ...rollout, version, fileName: null, createdAt: new Date(0) }))
  await app.connection.collection('rollouts').insertMany(made)
  const sorted = async (query: string) =>
    ((await rowsOf(`/rollouts?${query}`, 'rollouts')) as { version?: unknown }[]).map(({ version }) => version)
  expect(await sorted('sort=version')).toEqual([null, '3.9.0', '3.10.0', '4.0'])
  expect(await sorted('sort=-version&limit=2&page=2')).toEqual(['3.9.0', null])
  await app.connection.collection('rollouts').deleteMany({ stages: [] })
})

describe.each(lists)('$name', ({ path, rows, columns }) => {
  test('can be sorted by every column that it names, with the same rows in each order', async () => {
    const ids = (await rowsOf(path, rows)).map(({ _id }) => _id).toSorted()
    for (const sort of columns) {
      expect((await rowsOf(`${path}?sort=${sort}`, rows)).map(({ _id }) => _id).toSorted(), sort).toEqual(ids)
    }
  })

  test('has pages that repeat no row', async () => {
    const all = await rowsOf(path, rows)
    const paged = []
    for (let page = 1; page <= all.length; page += 1)
      paged.push(...(await rowsOf(`${path}?page=${page}&limit=1`, rows)))
    expect(paged.map(({ _id }) => _id)).toEqual(all.map(({ _id }) => _id))
  })

  test('refuses an unknown column, naming the field', async () => {
    const answer = await app.call('GET', `${path}?sort=nonsense`, admin)
    expect(answer).toMatchObject({ statusCode: 400, errors: [{ path: 'sort' }] })
  })

  test('is a table for clients that accept text/csv', async () => {
    const token = await app.tokenOf(admin)
    const answer = await app.http
      .get(`/api/v1${path}?limit=1`)
      .set({ authorization: `Bearer ${token}`, accept: 'text/csv' })
      .expect(200)
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[\w-]+\.csv"$/)
    const count = (await rowsOf(path, rows)).length
    expect(answer.text.split('\r\n')).toHaveLength(count + 2)
    expect(answer.text.split(',')[0]).toBe('_id')
  })
})

const byText = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : 1)

describe('sorting by columns of another record', () => {
  const values = async (path: string, rows: string, pick: (row: never) => unknown) =>
    (await rowsOf(path, rows)).map((row) => pick(row as never))

  test('boards by version, numerically', async () => {
    const versions = ['1.10.0', '1.4.2', '1.9.9']
    const boards = await rowsOf('/devices', 'devices')
    for (const [index, osVersion] of versions.entries())
      await app.call('PATCH', `/devices/${boards[index]?._id}`, admin, { osVersion })
    const sorted = await values('/devices?sort=-osVersion', 'devices', (row: { osVersion: string }) => row.osVersion)
    expect(sorted.slice(0, 3)).toEqual(['1.10.0', '1.9.9', '1.4.2'])
  })

  test('boards by owner, room and mail', async () => {
    const owners = await values(
      '/devices?sort=owner',
      'devices',
      (row: { userId: { name: string } }) => row.userId.name
    )
    expect(owners).toEqual(owners.toSorted(byText))
    const rooms = await values(
      '/devices?sort=-room',
      'devices',
      (row: { setRoom: { roomName: string } }) => row.setRoom.roomName
    )
    expect(rooms).toEqual(['Room of Cellar', 'Room of Bath', 'Room of Attic'])
  })

  test('switches by board, kind, state and room', async () => {
    const kinds = await values('/switches?sort=type', 'switches', (row: { type: string }) => row.type)
    expect(kinds).toEqual(['fan', 'fan', 'switch', 'switch', 'switch', 'switch'])
    const boards = await values(
      '/switches?sort=-deviceName',
      'switches',
      (row: { deviceName: string }) => row.deviceName
    )
    expect(boards).toEqual(['Cellar', 'Cellar', 'Bath', 'Bath', 'Attic', 'Attic'])
    const rooms = await values(
      '/switches?sort=roomId',
      'switches',
      (row: { roomId: { roomName: string } }) => row.roomId.roomName
    )
    expect(rooms).toEqual(rooms.toSorted(byText))
  })

  test('users by their counts, rooms by their boards, schedules by board', async () => {
    const counts = await values('/users?sort=-deviceCount', 'users', (row: { deviceCount: number }) => row.deviceCount)
    expect(counts.slice(0, 3)).toEqual([2, 1, 0])
    expect(
      await values('/rooms?sort=-onlineCount', 'rooms', (row: { onlineCount: number }) => row.onlineCount)
    ).toEqual([1, 1, 1])
    for (const column of ['switch', 'switchId', 'device', 'deviceId']) {
      const labels = await values(`/schedules?sort=-${column}`, 'schedules', (row: { label: string }) => row.label)
      expect(labels, column).toEqual(['Evening Cellar', 'Evening Bath', 'Evening Attic'])
    }
  })
})

describe('boards', () => {
  const names = async (query: string) =>
    (await rowsOf(`/devices?sort=setName&${query}`, 'devices')).map(
      (row) => (row as unknown as { setName: string }).setName
    )

  test('are filtered by the fields that filter rollouts', async () => {
    expect(await names('label=bath')).toEqual(['Bath'])
    expect(await names(`userId=${sita.userId}`)).toEqual(['Attic', 'Cellar'])
    expect(await names('status=offline')).toEqual([])
    expect(await names('hwModel=batti-wall-4&status=online')).toEqual(['Attic', 'Bath', 'Cellar'])
    expect((await app.call('GET', '/devices?health=tired', admin)).statusCode).toBe(400)
  })

  test('are found by MAC in any spelling, by room, and by their owner', async () => {
    const [bath] = (await rowsOf('/devices?label=bath', 'devices')) as unknown as { deviceMac: string }[]
    const mac = bath?.deviceMac ?? ''
    for (const text of [
      mac,
      mac.replaceAll(':', '-'),
      mac.replaceAll(':', '').toLowerCase(),
      mac.slice(6).replaceAll(':', '-')
    ]) {
      expect(await names(`search=${text}`), text).toEqual(['Bath'])
    }
    expect(await names('search=room of cell')).toEqual(['Cellar'])
    expect(await names(`search=${encodeURIComponent(ram.name)}`)).toEqual(['Bath'])
  })

  const image = {
    filename: 'wall-1.5.0.bin',
    version: '1.5.0',
    versionOrder: '1.5.0',
    size: 1,
    sha256: '0'.repeat(64),
    hwModel: null,
    state: 'released',
    from: null,
    keyId: null,
    secureVersion: null,
    createdAt: new Date(0)
  }
  beforeAll(async () => void (await app.connection.collection('firmwareFiles').insertOne(image)))

  test.each([
    ['a phone number', (phone: string) => `${phone.slice(4, 7)} ${phone.slice(7)}`],
    ['a phone number with its country', (phone: string) => `${phone.slice(0, 4)}-${phone.slice(4)}`],
    ["an owner's id", () => ram.userId],
    ['a room', () => 'room of bath']
  ])('are found by %s in lists and rollouts alike', async (_what, written) => {
    const [owner] = (await rowsOf(`/users?search=${ram.userId}`, 'users')) as unknown as { phone: string }[]
    const search = written(owner?.phone ?? '')
    expect(await names(`search=${encodeURIComponent(search)}`)).toEqual(['Bath'])
    const rollout = { fileName: image.filename, target: { filter: { search } } }
    expect((await app.call('POST', '/rollouts/preview', admin, rollout)).data).toMatchObject({ total: 1 })
  })

  test('keep labels and a pin of an admin, which their owner neither sets nor sees', async () => {
    const [bath] = await rowsOf('/devices?label=bath', 'devices')
    const pin = { version: '1.4.0', reason: 'on trial', endsAt: '2026-11-21T06:00:00.000Z' }
    const set = await app.call('PATCH', `/devices/${bath?._id}`, admin, { pinnedVersion: pin })
    onTestFinished(async () => void (await app.call('PATCH', `/devices/${bath?._id}`, admin, { pinnedVersion: null })))
    expect(set.data).toMatchObject({ pinnedVersion: pin, labels: ['bath'] })
    const seen = await app.call('GET', `/devices/${bath?._id}`, ram)
    expect(Object.keys(seen.data)).not.toEqual(expect.arrayContaining(['labels']))
    expect(seen.data).toMatchObject({ health: { score: expect.any(Number), reasons: expect.any(Array) } })
    const refused = await app.call('PATCH', `/devices/${bath?._id}`, ram, { labels: ['mine'] })
    expect(refused).toMatchObject({ statusCode: 400, errors: [{ path: 'labels' }] })
  })
})

test.each(['hwModel', 'osVersion', 'label'])('a NUL in %s is refused, naming the field', async (field) => {
  const errors = [{ path: field, message: 'must not contain control characters' }]
  expect(await app.call('GET', `/devices?${field}=%00`, admin)).toMatchObject({ statusCode: 400, errors })
  expect(await app.call('POST', '/bulk/devices', admin, { filter: { [field]: '\0' }, set: {} })).toMatchObject({
    statusCode: 400,
    errors: [{ path: `filter.${field}` }, { path: 'set' }]
  })
})

test.each([
  ['is required', [undefined, '']],
  ['must be a string', [5]],
  ['must be at most 255 characters', ['a'.repeat(256)]]
])('the file of a rollout %s', async (message, fileNames) => {
  for (const fileName of fileNames) {
    const refused = await app.call('POST', '/rollouts/preview', admin, { fileName, target: { filter: {} } })
    expect(refused).toMatchObject({ statusCode: 400, errors: [{ path: 'fileName', message }] })
  }
})
