import type { FleetRecord } from '@batti/contracts'
import { expect, test } from 'vitest'
import { fleetCounts } from '#web/lib/records/fleet-counts.ts'
import { bulkSetOf, filterOf, oneOwnerOf, type BulkDraft } from './bulk-change.ts'
import { deviceChips } from './health-chips.ts'
import { modelsOf } from './use-models.ts'

const draft: BulkDraft = {
  room: '',
  colour: ' #ffb020 ',
  zone: 'Asia/Kathmandu',
  server: 'mqtt',
  host: '',
  port: ''
}

test('a draft becomes the one setting of its kind, or none while something is missing', () => {
  expect(bulkSetOf('room', draft)).toEqual({ setRoom: null })
  expect(bulkSetOf('room', { ...draft, room: 'r1' })).toEqual({ setRoom: 'r1' })
  expect(bulkSetOf('colour', draft)).toEqual({ activeColor: '#ffb020' })
  expect(bulkSetOf('zone', { ...draft, zone: ' ' })).toBeNull()
  expect(bulkSetOf('server', draft)).toBeNull()
  expect(bulkSetOf('server', { ...draft, host: 'mqtt.example', port: '70000' })).toBeNull()
  for (const port of ['8883', ' ८८८३'])
    expect(bulkSetOf('server', { ...draft, host: 'mqtt.example', port })).toEqual({
      mqtt: { host: 'mqtt.example', port: 8883 }
    })
})

test('all boards of a filter are selected by what narrows the list, not by its order', () => {
  expect(filterOf({ search: 'tea', sort: '-health', status: 'offline' })).toEqual({ search: 'tea', status: 'offline' })
})

test('rooms are offered if all boards have one owner', () => {
  const of = (id: string | null) => ({ userId: id === null ? null : { _id: id } })
  expect(oneOwnerOf([of('a'), of('a')])).toBe('a')
  expect(oneOwnerOf([of('a'), of('b')])).toBeNull()
  expect(oneOwnerOf([of(null)])).toBeNull()
})

const fleet: FleetRecord = {
  boards: 10,
  online: 6,
  offline: 3,
  neverSeen: 1,
  weakSignal: 2,
  flapping: 0,
  silent: 1,
  failing: 1,
  outdated: 4,
  versions: [],
  onlineByHour: [],
  commandsByHour: [],
  byHour: []
}

test('each chip has its count of the whole fleet; offline is what is not online, as in the list', () => {
  expect(deviceChips.map(({ value }) => fleetCounts(fleet)[value])).toEqual([10, 6, 4, 2, 0, 1, 1, 4, 1])
})

test('models and versions in use, each once, the newest version first', () => {
  const run = (hwModel: string, osVersion: string) => ({ hwModel, osVersion, count: 1 })
  const { models, versions } = modelsOf([
    run('wall', '1.9.9'),
    run('fan', '1.10.0'),
    run('wall', '1.10.0'),
    run('x', '')
  ])
  expect(models.map(({ value }) => value)).toEqual(['fan', 'wall', 'x'])
  expect(versions.map(({ value }) => value)).toEqual(['1.10.0', '1.9.9'])
})
