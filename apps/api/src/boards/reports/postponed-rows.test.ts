import { expect, it } from 'vitest'
import { createPostponedRows } from './postponed-rows.ts'

const reportOf = (seq: number, bootId = 'boot-0001') => ({ bootId, seq })
const outlets = { changed: [0], found: [1] }

it('what a report had to log is known until that report is logged, also after another one was', () => {
  const postponed = createPostponedRows()
  for (const seq of [5, 6]) postponed.note('a', reportOf(seq), outlets)
  postponed.note('b', reportOf(5), outlets)
  postponed.drop('a', reportOf(5))
  postponed.drop('a', reportOf(5))
  expect(postponed.of('a', reportOf(5))).toBeUndefined()
  expect(postponed.of('a', reportOf(6))).toEqual(outlets)
  expect(postponed.of('a', reportOf(6, 'boot-0002'))).toBeUndefined()
  expect(postponed.of('b', reportOf(5))).toEqual(outlets)
})

it('the last 64 reports of a board are known until it is deleted', () => {
  const postponed = createPostponedRows()
  for (let seq = 1; seq <= 65; seq += 1) postponed.note('a', reportOf(seq), outlets)
  const known = () => [1, 2, 65].map((seq) => postponed.of('a', reportOf(seq)) !== undefined)
  expect(known()).toEqual([false, true, true])
  postponed.forget('a')
  expect(known()).toEqual([false, false, false])
})
