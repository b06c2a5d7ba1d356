import { expect, test } from 'vitest'
import { createRecent } from './recent.ts'

test('beyond the most, the value that was kept the longest ago is evicted', () => {
  const { get, keep, forget } = createRecent<number>(2)
  keep('a', 1)
  keep('b', 2)
  keep('a', 3)
  keep('c', 4)
  expect(['a', 'b', 'c'].map(get)).toEqual([3, undefined, 4])
  forget('a')
  keep('d', 5)
  expect(['a', 'c', 'd'].map(get)).toEqual([undefined, 4, 5])
})
