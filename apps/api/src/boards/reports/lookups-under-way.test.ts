import { expect, test } from 'vitest'
import { waitingMax } from '../../platform/http/limits/fair-share.ts'
import { createLookupsUnderWay } from './lookups-under-way.ts'

test('the boards of an account share the room for lookups, which takes none from another account', async () => {
  const lookups = createLookupsUnderWay()
  const board = (id: number, userId: string | null) => ({ id: `board ${id}`, userId })
  const ends: (() => void)[] = []
  const add = (id: number, userId: string | null): void =>
    lookups.add(`report ${id}`, board(id, userId), new Promise((resolve) => void ends.push(resolve)))
  for (let id = 0; id < waitingMax; id += 1) {
    expect(lookups.hasRoom(board(id, 'sita'))).toBe(true)
    add(id, 'sita')
  }
  expect(lookups.hasRoom(board(waitingMax, 'sita'))).toBe(false)
  expect(lookups.hasRoom(board(waitingMax, 'ram'))).toBe(true)
  // Boards of nobody share nothing with each other.
  for (let id = 0; id < waitingMax; id += 1) add(waitingMax + id, null)
  expect(lookups.hasRoom(board(1, null))).toBe(true)

  const first = lookups.of('report 0')
  ends[0]?.()
  await first
  expect(lookups.of('report 0')).toBeUndefined()
  expect(lookups.hasRoom(board(waitingMax, 'sita'))).toBe(true)
})
