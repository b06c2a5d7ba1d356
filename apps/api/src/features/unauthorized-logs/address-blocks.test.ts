import { expect, test } from 'vitest'
import { pino } from 'pino'
import { singleInstance, type Cluster } from '../../platform/cluster/cluster.ts'
import { createMemoryCluster } from '../../testing/memory-cluster.ts'
import { createEventBus } from '../../platform/events.ts'
import { createAddressBlocks, createNeverBlocked } from './address-blocks.ts'
import type { BlockedAddressModel } from './unauthorized-log.model.ts'
import { countedPath } from './refusal-counter.ts'

test('this machine and the trusted proxies are never blocked, other addresses can be', () => {
  const isNeverBlocked = createNeverBlocked(['10.1.2.3', '192.0.2.0/24', '2001:db8::/32', 'uniquelocal', 'nonsense'])
  for (const ip of [
    '127.0.0.1',
    '127.9.9.9',
    '::1',
    '::ffff:127.0.0.1',
    '10.1.2.3',
    '192.0.2.99',
    '2001:db8::5',
    '192.168.1.1'
  ]) {
    expect(isNeverBlocked(ip), ip).toBe(true)
  }
  // The network of a trusted proxy would include it.
  expect(createNeverBlocked(['2001:db8:1:2::5'])('2001:db8:1:2::/64')).toBe(true)
  for (const ip of ['203.0.113.1', '192.0.3.1', '2001:db9::1', '', 'nonsense'])
    expect(isNeverBlocked(ip), ip).toBe(false)
})

test('a counted path has no query, ids or control characters, and a maximum length', () => {
  expect(countedPath('/api/v1/users?token=x')).toBe('/api/v1/users')
  expect(countedPath('/api/v1/users/0123456789abcdef01234567/x')).toBe('/api/v1/users/{id}/x')
  expect(countedPath('/a\r\nb')).toBe('/ab')
  expect(countedPath(`/${'x'.repeat(5000)}`)).toHaveLength(256)
})

interface Row {
  _id: string
  until: null
}

function openBlocks(
  rows: () => Promise<Row[]>,
  cluster: Cluster = singleInstance('one'),
  log = pino({ enabled: false })
) {
  return createAddressBlocks({
    model: {
      find: () => ({ lean: rows }),
      updateOne: () => Promise.resolve(),
      deleteMany: () => Promise.resolve()
    } as unknown as BlockedAddressModel,
    clock: { now: () => 0, monotonic: () => 0 },
    events: createEventBus(log),
    log,
    cluster,
    isAlone: false
  })
}

test('a list of blocks that cannot be read is reported once, and once when it can be again', async () => {
  const told: string[] = []
  const log = pino({ hooks: { logMethod: (args) => void told.push(String(args.at(-1))) } })
  let refresh = (): void => undefined
  let isAway = true
  const rows = () => (isAway ? Promise.reject(new Error('no database')) : Promise.resolve([]))
  openBlocks(rows, { ...singleInstance('one'), onMissed: (listener) => void (refresh = listener) }, log)
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) {
      refresh()
      await new Promise(setImmediate)
    }
  }
  await turns()
  isAway = false
  await turns()
  expect(told).toEqual(['blocked addresses not refreshed', 'blocked addresses are refreshed again'])
})

test('a list of blocks that was read before a change does not undo it', async () => {
  const { promise: listed, resolve: answer } = Promise.withResolvers<Row[]>()
  const address = '203.0.113.9'
  const reads = [listed, Promise.resolve([{ _id: address, until: null }])]
  const blocks = openBlocks(() => reads.shift() ?? Promise.reject(new Error('read too often')))
  const reading = blocks.load()
  await blocks.block(address, 'admin', null)
  answer([])
  await reading
  expect(blocks.isBlocked(address)).toBe(true)
})

test.each(['here', 'by another instance'])(
  'a block of another instance applies, although the list with it was read during a change %s',
  async (where) => {
    const cluster = createMemoryCluster()
    const other = openBlocks(() => Promise.resolve([]), cluster.join('other'))
    const { promise: early, resolve: answer } = Promise.withResolvers<Row[]>()
    const stored = ['203.0.113.9', '203.0.113.10'].map((_id) => ({ _id, until: null }))
    const reads = [Promise.resolve([]), early, Promise.resolve(stored), Promise.resolve(stored)]
    const blocks = openBlocks(() => reads.shift() ?? Promise.reject(new Error('read too often')), cluster.join('one'))
    await cluster.settled()
    await other.block('203.0.113.9', 'admin', null)
    await cluster.settled()
    await (where === 'here' ? blocks : other).block('203.0.113.10', 'admin', null)
    await cluster.settled()
    answer(where === 'here' ? [] : stored.slice(0, 1))
    await new Promise(setImmediate)
    expect(stored.map(({ _id }) => blocks.isBlocked(_id))).toEqual([true, true])
  }
)

test('a block, and its end, apply to other instances as soon as they are told, and after a gap', async () => {
  const cluster = createMemoryCluster()
  let stored: Row[] = []
  const rows = () => Promise.resolve(stored)
  const [one, other] = [openBlocks(rows, cluster.join('one')), openBlocks(rows, cluster.join('other'))]
  const address = '203.0.113.9'
  stored = [{ _id: address, until: null }]
  await one.block(address, 'admin', null)
  await expect.poll(() => other.isBlocked(address)).toBe(true)
  stored = []
  await one.unblock(address)
  await expect.poll(() => other.isBlocked(address)).toBe(false)
  cluster.turn(false)
  stored = [{ _id: address, until: null }]
  await one.block(address, 'admin', null)
  await cluster.settled()
  expect(other.isBlocked(address)).toBe(false)
  cluster.turn(true)
  await expect.poll(() => other.isBlocked(address)).toBe(true)
})
