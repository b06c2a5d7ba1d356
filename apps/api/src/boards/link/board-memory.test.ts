import { expect, test } from 'vitest'
import { aLiveDevice } from '../../testing/live-device.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import { createBoardMemory } from './board-memory.ts'

const [shown, hidden, deleted] = ['1', '2', '3'].map((mac) => aLiveDevice({ id: `board ${mac}`, mac })) as [
  LiveDevice,
  LiveDevice,
  LiveDevice
]

/** Three boards in memory, of which one is deleted in the database. */
function setUp({ isHealthy = true } = {}) {
  const forgotten: LiveDevice[] = []
  const steps: string[] = []
  const known = new Map([shown, hidden, deleted].map((device) => [device.mac, device]))
  const memory = createBoardMemory({
    registry: {
      unused: () => [hidden],
      all: () => known.values(),
      findByMac: async (mac: string) => known.get(mac) ?? null,
      reread: async (devices: readonly LiveDevice[]) => {
        steps.push('read')
        return devices.filter((device) => device === deleted)
      }
    } as unknown as Parameters<typeof createBoardMemory>[0]['registry'],
    store: {
      isHealthy: () => isHealthy,
      stored: async () => void steps.push('stored')
    } as unknown as Parameters<typeof createBoardMemory>[0]['store'],
    forgetBoard: (device) => void forgotten.push(device)
  })
  return { memory, forgotten, steps }
}

test('unused boards are dropped, except while the database fails: their state may be nowhere else', () => {
  const healthy = setUp()
  healthy.memory.forgetUnused()
  expect(healthy.forgotten).toEqual([hidden])
  const failing = setUp({ isHealthy: false })
  failing.memory.forgetUnused()
  expect(failing.forgotten).toEqual([])
})

test('boards that are read again and no longer exist are dropped', async () => {
  const { memory, forgotten } = setUp()
  await memory.rereadKnown((device) => device !== hidden)
  expect(forgotten).toEqual([deleted])
})

test('after missed messages, boards of open screens are read again once their state is stored, and others are dropped', async () => {
  const { memory, forgotten, steps } = setUp()
  expect(await memory.readAgain([shown.mac, deleted.mac, 'unknown'])).toEqual([shown])
  expect(forgotten).toEqual([hidden, deleted])
  expect(steps).toEqual(['stored', 'read'])
})
