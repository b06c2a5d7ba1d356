import { expect, test } from 'vitest'
import { deviceLive as live, switches } from '#web/test/fixtures.ts'
import { countLit } from './count-lit.ts'

test('counts what is on; a board that is away burns nothing', () => {
  expect(countLit([live({}), live({ outlets: switches(true, true) }), live({ isOnline: false })])).toBe(3)
  expect(countLit([])).toBe(0)
})

test('is not known while a board’s state is missing or no longer fresh', () => {
  expect(countLit([live({}), undefined])).toBeNull()
  expect(countLit([live({}), live({ isFresh: false })])).toBeNull()
})
