import { allRoutes, type TaggedRoute } from '@batti/contracts/routes'
import { until } from '@batti/kit/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startProduct, type Person, type TestProduct } from '../testing/product.ts'

/** The records of one home: its own id of each kind. */
type Records = Readonly<Record<string, string>>

const nowhere = '65a0000000000000000000ff'
const evening = { startTime: '18:00', endTime: '22:00', startAction: 'on', endAction: 'off', switchIndex: 0 }

/** Which record the `{id}` of a path names, by the beginning of that path. */
const recordOf: Records = {
  user: 'sessionId',
  devices: 'deviceId',
  'device-claims': 'claimId',
  switches: 'switchId',
  rooms: 'roomId',
  schedules: 'scheduleId',
  'switch-action-logs': 'rowId'
}
/** Which record a field or another parameter names. */
const recordIn: Records = {
  ...Object.fromEntries(['deviceId', 'switchId', 'roomId', 'scheduleId', 'userId'].map((name) => [name, name])),
  setRoom: 'roomId',
  moveTo: 'roomId'
}

let product: TestProduct
let sita: Person
let ofSita: Records
let ofRam: Records
beforeAll(async () => {
  product = await startProduct()
  sita = await product.person()
  ofSita = await furnish(sita)
  ofRam = await furnish(await product.person())
})
afterAll(() => product.stop())

/** Gives a home one record of each kind, and returns their ids. */
async function furnish(as: Person): Promise<Records> {
  const call = async (method: string, path: string, body?: object): Promise<Record<string, string>> =>
    (await product.call(method, path, { as, body })).body.data
  const firstOf = async (path: string, list: string): Promise<string> => {
    const [row] = (await call('GET', path))[list] as unknown as { _id?: string; id?: string }[]
    return row?._id ?? row?.id ?? ''
  }
  await product.board(as)
  const switchId = await firstOf('/switches', 'data')
  const deviceId = await firstOf('/devices', 'devices')
  const roomId = (await call('POST', '/rooms', { roomName: 'Kitchen' }))['_id'] ?? ''
  await call('PATCH', `/devices/${deviceId}`, { setRoom: roomId })
  await call('PATCH', `/switches/by-id/${switchId}`, { status: true, isFavorite: true })
  return {
    deviceId,
    switchId,
    userId: as.id,
    roomId,
    scheduleId: (await call('POST', '/schedules', { ...evening, deviceId, switchId }))['_id'] ?? '',
    claimId: (await product.claim(as)).id,
    sessionId: await firstOf('/user/sessions', 'sessions'),
    rowId: await until(
      'the change is in the log',
      async () => (await firstOf('/switch-action-logs', 'logs')) || undefined
    )
  }
}

function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return []
  const { properties, anyOf = [] } = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' })
  return [properties, ...anyOf.map((one) => one.properties)].flatMap((each) => Object.keys(each ?? {}))
}

/** What a call needs besides ids to be valid. */
const bodies: Record<string, object> = {
  updateDevice: { setName: 'Mine' },
  updateSwitch: { switchName: 'Mine' },
  createRoom: { roomName: 'Mine' },
  updateRoom: { roomName: 'Mine' },
  replaceRoom: { roomName: 'Mine' },
  createSchedule: evening,
  previewSchedule: evening,
  updateSchedule: { label: 'Mine' }
}
const needs: Record<string, readonly string[]> = {
  createSchedule: ['deviceId', 'switchId'],
  previewSchedule: ['deviceId']
}

const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w*[iI]d)\}/g)].map(([, name]) => name ?? '')

/** Each way in which a user can name a record: the call, and the parameter or field. */
const namings = allRoutes
  .filter(({ route: { access } }) => access.kind === 'account' || (access.kind === 'roles' && access.user))
  .flatMap((tagged) => {
    const { path, query, body } = tagged.route
    const names = [...parametersOf(path), ...[query, body].flatMap(fieldsOf).filter((field) => field in recordIn)]
    return names.map((name) => [`${tagged.route.method.toUpperCase()} ${path}`, name, tagged] as const)
  })

const recordNamed = (name: string, path: string): string => recordIn[name] ?? recordOf[path.split('/')[1] ?? ''] ?? ''

/** Calls as Sita, with her own records, but with `id` as `named`. */
async function callWith({ name: call, route }: TaggedRoute, named: string, id: string) {
  const idOf = (name: string): string => (name === named ? id : (ofSita[recordNamed(name, route.path)] ?? ''))
  const path = route.path.replace('{index}', '0').replaceAll(/\{(\w+)\}/g, (_all, name: string) => idOf(name))
  const query = fieldsOf(route.query).includes(named) ? `?${named}=${id}` : ''
  const fields = [...(needs[call] ?? []), ...(fieldsOf(route.body).includes(named) ? [named] : [])]
  const ids = Object.fromEntries(fields.map((field) => [field, idOf(field)]))
  const { status, body } = await product.call(route.method.toUpperCase(), path + query, {
    as: sita,
    ...(route.body === undefined ? {} : { body: { ...bodies[call], ...ids } })
  })
  return { ...body, status, requestId: undefined }
}

describe('a record of another home', () => {
  it.each(namings)('that %s names as %s is answered like a missing one', async (_call, name, tagged) => {
    const record = recordNamed(name, tagged.route.path)
    const absent = await callWith(tagged, name, nowhere)
    expect(await callWith(tagged, name, ofRam[record] ?? '')).toEqual(absent)
    // One's own is not, so that the other answers are not for another reason.
    if (tagged.route.method === 'get') expect(await callWith(tagged, name, ofSita[record] ?? '')).not.toEqual(absent)
  })
})
