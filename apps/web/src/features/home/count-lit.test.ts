import { expect, test } from 'vitest'
import type { DeviceLive } from '../../lib/live/device-live.ts'
import { countLit } from './count-lit.ts'

const live = (changes: Partial<DeviceLive>): DeviceLive => ({
  mac: 'm',
  isOnline: true,
  switch: [true, false],
  speed: [0, 0],
  bootId: 'boot0001',
  seq: 1,
  at: 0,
  onlineChangedAt: null,
  isFresh: true,
  lastCause: null,
  ...changes
})

test('counts what is on; a board that is away burns nothing', () => {
  expect(countLit([live({}), live({ switch: [true, true] }), live({ isOnline: false })])).toBe(3)
  expect(countLit([])).toBe(0)
})

test('is not known while a board’s state is missing or no longer fresh', () => {
  expect(countLit([live({}), undefined])).toBeNull()
  expect(countLit([live({}), live({ isFresh: false })])).toBeNull()
})
