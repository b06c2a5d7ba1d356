import type { UpdatePhase } from '@batti/contracts'
import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { deviceUpdateKey } from '#web/lib/live/device-update.ts'
import { listKeyOf, queryKeys } from '#web/lib/query-keys.ts'
import { boardRecord } from '#web/test/fixtures.ts'
import { firmwareProgress, fleetChanged, rolloutProgress } from './apply-rare-events.ts'

const device = boardRecord()
const id = 'r1'

test('the version of a finished update is in the lists of boards at once', () => {
  const client = new QueryClient()
  const key = [...listKeyOf(queryKeys.devices), {}]
  client.setQueryData(key, { rows: [device] })
  const received = { deviceMac: device.deviceMac, id: 'j', version: '1.5.0', percent: 100 }
  firmwareProgress(client, { ...received, phase: 'proving' }, () => {})
  expect(client.getQueryData(key)).toEqual({ rows: [device] })
  firmwareProgress(client, { ...received, phase: 'done' }, () => {})
  expect(client.getQueryData(key)).toMatchObject({ rows: [{ osVersion: '1.5.0' }] })
  expect(client.getQueryData(deviceUpdateKey(device.deviceMac))).toMatchObject({ phase: 'done', version: '1.5.0' })
})

test('the open page of a board is asked for again when its update has ended, also by a failure', () => {
  const client = new QueryClient()
  const asked: QueryKey[] = []
  client.setQueryData(['device', 'of another'], boardRecord({ deviceMac: '34:98:7A:00:00:09' }))
  client.setQueryData(['device', device._id], device)
  client.setQueryData(['device', device._id, 'events'], {})
  const received = { deviceMac: device.deviceMac, id: 'j', version: '1.5.0', percent: 100 }
  const receive = (phase: UpdatePhase) =>
    firmwareProgress(client, { ...received, phase }, (keys) => void asked.push(...keys))
  receive('reboot')
  expect(asked).toEqual([])
  receive('failed')
  expect(asked).toEqual([['device', device._id]])
})

test('rollout progress updates its page, the list and its board’s row', () => {
  const client = new QueryClient()
  const one = [...queryKeys.rollouts, 'one', id]
  const targets = [...listKeyOf([...queryKeys.rollouts, 'targets', id]), {}]
  client.setQueryData(one, { _id: id, counts: { waiting: 2 } })
  client.setQueryData([...listKeyOf(queryKeys.rollouts), {}], {
    rows: [
      { _id: id, counts: {} },
      { _id: 'r2', counts: {} }
    ]
  })
  client.setQueryData(targets, {
    rows: [
      { deviceId: 'd1', phase: 'waiting' },
      { deviceId: 'd2', phase: 'waiting' }
    ]
  })
  const target = {
    deviceId: 'd1',
    deviceMac: device.deviceMac,
    phase: 'download' as const,
    percent: 40,
    error: null,
    changedAt: 1_800_000_000_000
  }
  rolloutProgress(client, { id, counts: { waiting: 1, download: 1 }, target })
  expect(client.getQueryData(one)).toMatchObject({ counts: { waiting: 1, download: 1 } })
  expect(client.getQueryData([...listKeyOf(queryKeys.rollouts), {}])).toEqual({
    rows: [
      { _id: id, counts: { waiting: 1, download: 1 } },
      { _id: 'r2', counts: {} }
    ]
  })
  expect(client.getQueryData(targets)).toMatchObject({
    rows: [{ deviceId: 'd1', phase: 'download', changedAt: '2027-01-15T08:00:00.000Z' }, { phase: 'waiting' }]
  })
})

test('the number of online boards updates the totals and the fleet record', () => {
  const ask = vi.fn<(keys: readonly QueryKey[]) => void>()
  const client = new QueryClient()
  const totals = [...queryKeys.dashboard, 'staff']
  const event = { online: 7, offline: 2, silent: 0, flapping: 0, failing: 0 }
  client.setQueryData(queryKeys.fleet, { boards: 9, neverSeen: 0, ...event, online: 1, offline: 8 })
  client.setQueryData(totals, { totalDevices: 9, onlineDevices: 1 })
  fleetChanged(client, event, ask)
  expect(client.getQueryData(queryKeys.fleet)).toEqual({ boards: 9, neverSeen: 0, ...event })
  expect(client.getQueryData(totals)).toEqual({ totalDevices: 9, onlineDevices: 7 })
  client.setQueryData(totals, { totalRooms: 3 })
  fleetChanged(client, event, ask)
  expect(client.getQueryData(totals)).toEqual({ totalRooms: 3 })
})

test('when other boards are unwell, the lists that name them are fetched again', () => {
  const ask = vi.fn<(keys: readonly QueryKey[]) => void>()
  const client = new QueryClient()
  const well = { online: 9, offline: 0, silent: 0, flapping: 0, failing: 0 }
  client.setQueryData(queryKeys.fleet, { boards: 9, neverSeen: 0, ...well })
  fleetChanged(client, { ...well, online: 8, offline: 1 }, ask)
  expect(ask).not.toHaveBeenCalled()
  for (const name of ['silent', 'flapping', 'failing']) fleetChanged(client, { ...well, [name]: 1 }, ask)
  fleetChanged(client, { ...well, failing: 1 }, ask)
  const lists = [[[...queryKeys.fleet, 'attention'], queryKeys.devices]]
  expect(ask.mock.calls).toEqual([lists, lists, lists])
})

test('boards added or first seen meanwhile never make a count negative, and records and lists are fetched again', () => {
  const ask = vi.fn<(keys: readonly QueryKey[]) => void>()
  const client = new QueryClient()
  const totals = [...queryKeys.dashboard, 'staff']
  client.setQueryData(queryKeys.fleet, {
    boards: 54,
    online: 50,
    offline: 1,
    neverSeen: 3,
    silent: 0,
    flapping: 0,
    failing: 0
  })
  client.setQueryData(totals, { totalDevices: 54, onlineDevices: 50 })
  fleetChanged(client, { online: 49, offline: 2, silent: 0, flapping: 0, failing: 0 }, ask)
  expect(ask).not.toHaveBeenCalled()
  fleetChanged(client, { online: 64, offline: 0, silent: 0, flapping: 0, failing: 0 }, ask)
  expect(client.getQueryData(queryKeys.fleet)).toMatchObject({ boards: 67, online: 64 })
  expect(ask.mock.calls).toEqual([[[queryKeys.fleet, queryKeys.dashboard, queryKeys.devices]]])
})
