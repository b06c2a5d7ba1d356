import { expect, test } from 'vitest'
import { roomEmoji } from './room-emoji.ts'

test.each([
  ['Living room', '🛋️'],
  ['MASTER BEDROOM', '🛏️'],
  ['Kitchen', '🍳'],
  ['Bathroom', '🛁'],
  ['Guest toilet', '🛁'],
  ['Garage', '🚗'],
  ['Garden', '🌳'],
  ['Kids corner', '🧸'],
  ["Children's den", '🧸'],
  ['Study', '📚'],
  ['Home gym', '🏋️'],
  ['Laundry', '🧺'],
  ['Dining hall', '🍽️'],
  ['Balcony', '🌇'],
  ['Office', '💼'],
  ['भान्सा कोठा', '🍳'],
  ['सुत्ने कोठा', '🛏️']
])('%s is shown as %s', (name, emoji) => {
  expect(roomEmoji(name)).toBe(emoji)
})

test('a name without a keyword is shown as a sofa', () => {
  expect(roomEmoji('Upstairs')).toBe('🛋️')
  expect(roomEmoji('')).toBe('🛋️')
})

test('of two keywords the first one in the rules decides', () => {
  expect(roomEmoji('Kids bedroom')).toBe('🛏️')
  expect(roomEmoji('Garden office')).toBe('🌳')
})
