import { expect, test } from 'vitest'
import { toastPlace } from './toast-place.ts'

const phone = { width: 390, height: 844 }
const title = { left: 16, right: 200, top: 88, bottom: 130 }
const low = { left: 200, right: 374, top: 700, bottom: 744 }
const high = { left: 300, right: 374, top: 20, bottom: 64 }

test.each([
  ['one line stands over the page title, in the bar', 52, { head: title, used: [low] }, 'top', null],
  ['three lines would cover the title, and stand at the bottom', 92, { head: title, used: [high] }, 'bottom', null],
  ['above, where somebody presses at the top, none stands', 52, { head: title, used: [high] }, 'bottom', null],
  ['between a title above and a hand below they stand under the title', 92, { head: title, used: [low] }, 'top', 138],
  ['where a form ends at the bottom they stand under the title', 92, { head: title, used: [high, low] }, 'top', 138],
  ['a page that is scrolled has no title to keep free', 92, { head: null, used: [low] }, 'top', null]
] as const)('%s', (_, height, taken, at, insetPx) => {
  expect(toastPlace(phone, height, taken)).toEqual({ at, insetPx })
})

test('a title at the left of a wide window is not covered by a toast in its middle', () => {
  const desk = { width: 1440, height: 900 }
  const head = { left: 256, right: 420, top: 32, bottom: 76 }
  expect(toastPlace(desk, 92, { head, used: [] })).toEqual({ at: 'top', insetPx: null })
})

test('if no place is free they are at the top', () => {
  const pressed = { left: 0, right: 390, top: 0, bottom: 844 }
  expect(toastPlace(phone, 52, { head: title, used: [pressed] })).toEqual({ at: 'top', insetPx: null })
})
