import { expect, test } from 'vitest'
import { createWaitingReads } from './waiting-reads.ts'

const failing = () => {
  const end = Promise.withResolvers<void>()
  return { read: { name: 'one' }, end: end.promise, fail: () => end.reject(new Error('away')) }
}

test('a read that fails before it begins is not shared any more', async () => {
  const reads = createWaitingReads<object>()
  const { read, end, fail } = failing()
  reads.keep('board', read, end)
  expect(reads.get('board')).toBe(read)
  fail()
  await expect(end).rejects.toThrow('away')
  expect(reads.get('board')).toBeUndefined()
})

test('a read that fails after it began leaves the next one, which waits', async () => {
  const reads = createWaitingReads<object>()
  const [first, next] = [failing(), failing()]
  reads.keep('board', first.read, first.end)
  reads.begin('board')
  reads.keep('board', next.read, next.end)
  first.fail()
  await expect(first.end).rejects.toThrow('away')
  expect(reads.get('board')).toBe(next.read)
})
