import { expect, it } from 'vitest'
import { migrations } from './migrations.ts'

it('there is one migration for each number, in order, so that their count is the version of a database', () => {
  const numbers = migrations.map(({ name }) => /^\d{4}(?=-)/.exec(name)?.[0])
  expect(numbers).toEqual(migrations.map((_, index) => String(index + 1).padStart(4, '0')))
})
