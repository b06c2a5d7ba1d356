import { expect, it } from 'vitest'
import { z } from 'zod'
import { singleInstance } from '../../../platform/cluster/cluster.ts'
import { createMemoryCluster } from '../../../testing/memory-cluster.ts'
import { createLockedBoards } from './locked-boards.ts'

const alone = singleInstance('alone')

it('a board that is locked or unlocked while the stored list is read stays so', async () => {
  const { lock, isLocked, load } = createLockedBoards(alone)
  const boards = ['installs since', 'was installing', 'installs']
  lock('was installing', true)
  const stored = Promise.withResolvers<string[]>()
  const loading = load(() => stored.promise)
  lock('installs since', true)
  lock('was installing', false)
  expect(boards.map(isLocked)).toEqual([true, false, false])
  stored.resolve(['was installing', 'installs'])
  await loading
  expect(boards.map(isLocked)).toEqual([true, false, true])
})

it('a board that is not in the stored list is unlocked', async () => {
  const { lock, isLocked, load } = createLockedBoards(alone)
  lock('gone', true)
  await load(async () => [])
  expect(isLocked('gone')).toBe(false)
})

it('a board is locked and unlocked at every instance, and each change is announced once', async () => {
  const cluster = createMemoryCluster()
  const here = createLockedBoards(cluster.join('here'))
  const ofAnother = cluster.join('another')
  const another = createLockedBoards(ofAnother)
  for (const isIt of [true, false]) {
    here.lock('board', isIt)
    await cluster.settled()
    expect(another.isLocked('board')).toBe(isIt)
  }
  let heard = 0
  ofAnother.on('board-locked', z.object({ isIt: z.boolean() }), () => void (heard += 1))
  for (const isIt of [false, true, true]) here.lock('board', isIt)
  await cluster.settled()
  expect(heard).toBe(1)
})
