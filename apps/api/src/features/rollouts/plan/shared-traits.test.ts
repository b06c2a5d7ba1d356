import { Types } from 'mongoose'
import { expect, it } from 'vitest'
import type { Board } from '../boards.repository.ts'
import { sharedTraits } from './shared-traits.ts'

const maya = new Types.ObjectId()

const board = (traits: Partial<Board> = {}): Board => ({
  _id: new Types.ObjectId(),
  deviceMac: '',
  deviceName: '',
  setName: '',
  hwModel: 'batti-wall-4',
  osVersion: '1.4.0',
  bootId: '',
  osBootId: '',
  conn: 1,
  isOnline: true,
  onlineChangedAt: new Date(0),
  timezone: 'Asia/Kathmandu',
  switch: [],
  userId: new Types.ObjectId(),
  configConfirmedRev: 0,
  schedulesRev: 0,
  schedulesConfirmedRev: 0,
  labels: [],
  pinnedVersion: null,
  wifiRSSI: -60,
  ...traits
})

it('lists what failed boards share and updated ones do not', () => {
  const failed = [1, 2, 3, 4].map((number) => board({ userId: maya, wifiRSSI: number === 4 ? -60 : -88 }))
  expect(sharedTraits(failed, [board(), board(), board()])).toEqual([
    { what: 'owner', value: String(maya), count: 4 },
    { what: 'signal', value: 'weak', count: 3 }
  ])
})

it('lists nothing that all boards of the rollout share', () => {
  const strip = () => board({ hwModel: 'batti-strip' })
  expect(sharedTraits([strip(), strip()], [strip(), strip()])).toEqual([])
  expect(sharedTraits([strip(), strip()], [board(), board()])).toEqual([
    { what: 'hwModel', value: 'batti-strip', count: 2 }
  ])
})

it('lists what at most half as large a share of the updated boards has', () => {
  const strip = () => board({ hwModel: 'batti-strip' })
  const shared = [{ what: 'hwModel', value: 'batti-strip', count: 2 }]
  expect(sharedTraits([strip(), strip()], [strip(), board()])).toEqual(shared)
  expect(sharedTraits([strip(), strip()], [strip(), strip(), board()])).toEqual([])
})

it('lists nothing for boards that have no owner', () => {
  const free = () => board({ userId: null })
  expect(sharedTraits([free(), free()], [board(), board()])).toEqual([])
})

it('lists nothing for one board, for chance, or before any was updated', () => {
  const strip = () => board({ hwModel: 'batti-strip' })
  expect(sharedTraits([strip()], [board()])).toEqual([])
  expect(sharedTraits([strip(), board({ hwModel: 'batti-single' })], [board()])).toEqual([])
  expect(sharedTraits([strip(), strip()], [])).toEqual([])
})
