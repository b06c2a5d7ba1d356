import { expect, test } from 'vitest'
import { deviceLive as live, switches } from '#web/test/fixtures.ts'
import { countLit } from './count-lit.ts'

test('counts what is on; the state of an offline board is unknown', () => {
  expect(
    countLit([live({}), live({ outlets: switches(true, true) }), live({ isOnline: false, outlets: switches(true) })])
  ).toEqual({
    on: 3,
    off: 1,
    unknown: 1
  })
  expect(countLit([])).toEqual({ on: 0, off: 0, unknown: 0 })
})

test('is unknown while a board’s state is missing or no longer fresh', () => {
  expect(countLit([live({}), undefined])).toBeNull()
  expect(countLit([live({}), live({ isFresh: false })])).toBeNull()
})
