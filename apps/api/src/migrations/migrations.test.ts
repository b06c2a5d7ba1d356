import { expect, it } from 'vitest'
import { migrations } from './migrations.ts'

it('runs one migration for each number, in their order: how many have run is the version of a database', () => {
  const numbers = migrations.map(({ name }) => /^\d{4}(?=-)/.exec(name)?.[0])
  expect(numbers).toEqual(migrations.map((_, index) => String(index + 1).padStart(4, '0')))
})
