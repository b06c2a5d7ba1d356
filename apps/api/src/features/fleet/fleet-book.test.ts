import { expect, test } from 'vitest'
import { createFleetBook } from './fleet-book.ts'
import { noFacts } from './judge-board.ts'

const day = 86_400_000
const now = Date.parse('2026-11-20T06:00:00Z')

/** A book with one board that went offline at that time. */
function bookOfAbsent(onlineChangedAt: number, isOutdated: () => boolean | undefined = () => false) {
  const book = createFleetBook({ silentMs: day, isOutdated })
  book.put('board', {
    ...noFacts(),
    isOnline: false,
    isSeen: true,
    onlineChangedAt,
    hwModel: 'batti-wall-4',
    osVersion: '1.4.0',
    bootId: 'boot-0001',
    reasons: [],
    since: {}
  })
  return book
}

test('a board that went offline by a clock that was ahead is silent a day after that clock was set back', () => {
  const book = bookOfAbsent(now + 800 * day)
  expect(book.judgeAll(now)).toEqual([])
  expect(book.judgeAll(now + day)).toEqual([])
  expect(book.judgeAll(now + day + 1)).toMatchObject([{ reasons: ['silent'], since: { silent: now + day + 1 } }])
  book.note('board', now + day + 2, (board) => Object.assign(board, { isOnline: true, onlineChangedAt: now + day + 2 }))
  expect(book.figures()).toMatchObject({ online: 1, silent: 0 })
})

test('a board keeps the time of its absence while the clock is behind for a while', () => {
  const book = bookOfAbsent(now - day)
  expect(book.judgeAll(0)).toEqual([])
  expect(book.judgeAll(now + 1)).toMatchObject([{ reasons: ['silent'] }])
})

test('a board stays outdated, or not, until it is known whether its version is', () => {
  let verdict: boolean | undefined
  const book = bookOfAbsent(now, () => verdict)
  expect(book.judgeAll(now)).toEqual([])
  verdict = true
  expect(book.judgeAll(now, () => false)).toEqual([])
  expect(book.judgeAll(now)).toMatchObject([{ reasons: ['outdated'] }])
  verdict = undefined
  expect(book.judgeAll(now)).toEqual([])
  verdict = false
  expect(book.judgeAll(now)).toMatchObject([{ reasons: [] }])
})
