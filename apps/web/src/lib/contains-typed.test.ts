import { expect, test } from 'vitest'
import { containsTyped } from './contains-typed.ts'

test.each([
  [' १२', 'Lamp 12'],
  ['m2', 'Roof 40 M²'],
  ['-1', 'Floor −1']
])('“%s” finds “%s”', (typed, name) => {
  expect(containsTyped(typed)(name)).toBe(true)
})
