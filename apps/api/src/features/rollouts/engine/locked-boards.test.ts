import { expect, it } from 'vitest'
import { createLockedBoards } from './locked-boards.ts'

it('a board that is locked or unlocked while the stored list is read stays so', async () => {
  const { lock, isLocked, load } = createLockedBoards()
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
  const { lock, isLocked, load } = createLockedBoards()
  lock('gone', true)
  await load(async () => [])
  expect(isLocked('gone')).toBe(false)
})
