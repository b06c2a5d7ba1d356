import { monitorPermissions } from '@batti/contracts'
import { until } from '@batti/kit/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../testing/open-screen.ts'
import { startProduct, type Person, type TestProduct } from '../testing/product.ts'

let product: TestProduct
let owner: Person
let admin: Person
let board: Awaited<ReturnType<TestProduct['board']>>
let switchId = ''
beforeAll(async () => {
  product = await startProduct()
  owner = await product.person()
  admin = await product.person('admin')
  board = await product.board(owner)
  const { body } = await product.call('GET', `/switches/by-device/${board.credentials.deviceId}/0`, { as: owner })
  switchId = body.data['_id']
})
afterAll(() => product.stop())

/** The permissions of a monitor for each client event; any of them is enough. */
const needs = {
  'join-user-device-room': ['view devices', 'view switches'],
  'join-staff-room': ['view devices'],
  'toggle-switch': ['control switches'],
  'set-fan-speed': ['control switches'],
  'toggle-all-switches': ['control switches'],
  toggleSwitch: ['control switches']
} as const
type Event = keyof typeof needs
const payloads = (): Record<Event, unknown> => ({
  'join-user-device-room': board.mac,
  'join-staff-room': undefined,
  'toggle-switch': { deviceMac: board.mac, switchIndex: 0, state: true },
  'set-fan-speed': { deviceMac: board.mac, switchIndex: 0, speed: 10 },
  'toggle-all-switches': { deviceMac: board.mac, state: false },
  toggleSwitch: { switchId, state: true }
})
const events = Object.keys(needs) as Event[]

/** Which events were allowed: one that is refused for another reason (no fan there) was allowed too. */
async function allowed(screen: Screen): Promise<Event[]> {
  const through: Event[] = []
  for (const event of events) {
    const { ok, code } = await screen.send(event, payloads()[event])
    if (ok || !['FORBIDDEN', 'NOT_FOUND', 'UNAUTHENTICATED'].includes(code ?? '')) through.push(event)
  }
  return through
}

describe('the events that a socket allows', () => {
  it.each([[], ...monitorPermissions.map((permission) => [permission])])(
    'for a monitor with %j are those that the permission names, and no others',
    async (...permissions) => {
      const screen = await product.screen(await product.monitor(permissions))
      const may = events.filter((event) => needs[event].some((each) => permissions.includes(each)))
      expect(await allowed(screen)).toEqual(may)
    }
  )
  it('for an admin are all, for an owner all but the staff room, for a stranger none', async () => {
    expect(await allowed(await product.screen(admin))).toEqual(events)
    expect(await allowed(await product.screen(owner))).toEqual(events.filter((event) => event !== 'join-staff-room'))
    expect(await allowed(await product.screen(await product.person()))).toEqual([])
  })
  it('for a signed-out user do not even include the connection', async () => {
    await expect(product.screen(owner, { token: '' })).rejects.toMatchObject({ data: { code: 'UNAUTHENTICATED' } })
  })
})

describe('the room of staff', () => {
  it('receives events of every board and of the totals, without joining each board', async () => {
    const screen = await product.screen(await product.monitor(['view devices']))
    expect(await screen.send('join-staff-room', undefined)).toEqual({ ok: true })
    const second = await product.board(owner)
    const { online } = await screen.next('fleet-changed')
    expect(online).toBeGreaterThan(0)
    await second.leave()
    await screen.next('update-from-device', ({ deviceMac, update }: { deviceMac: string; update: object }) => {
      return deviceMac === second.mac && 'isOnline' in update
    })
    expect(Object.keys(await screen.next('fleet-changed')).toSorted()).toEqual(
      ['failing', 'flapping', 'offline', 'online', 'silent'].toSorted()
    )
  })

  it('is left, and its rights end, within a second after a permission was revoked', async () => {
    const monitor = await product.monitor(['view devices', 'control switches'])
    const screen = await product.screen(monitor)
    await screen.send('join-staff-room', undefined)
    await screen.send('join-user-device-room', board.mac)
    expect(await allowed(screen)).toHaveLength(events.length)
    const { body } = await product.call('GET', `/users/${monitor.id}`, { as: admin })
    const { name, email, phone } = body.data as { name: string; email: string; phone: string }
    const changed = await product.call('PUT', `/monitors/${monitor.id}`, {
      as: admin,
      body: { name, email, phone, permissions: [] }
    })
    expect(changed.status, changed.body.message).toBe(200)
    await until(
      'the role counts at the socket',
      async () => (await screen.send('join-staff-room', undefined)).code === 'FORBIDDEN'
    )
    expect(await allowed(screen)).toEqual([])
    const heard = () => screen.heard('switch-update').length + screen.heard('update-from-device').length
    const before = heard()
    const other = await product.screen(owner)
    await other.send('join-user-device-room', board.mac)
    await other.send('toggle-switch', { deviceMac: board.mac, switchIndex: 1, state: true })
    await other.next('switch-update', ({ switchIndex }: { switchIndex?: number }) => switchIndex === 1)
    expect(heard()).toBe(before)
  })
})
