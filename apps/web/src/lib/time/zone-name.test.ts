import { expect, test } from 'vitest'
import { zoneName } from './zone-name.ts'

test('a zone that browsers know by an old name is shown by its current one', () => {
  expect(zoneName('Asia/Katmandu')).toBe('Asia/Kathmandu')
  expect(zoneName('Europe/London')).toBe('Europe/London')
})
