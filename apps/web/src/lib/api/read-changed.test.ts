import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { readChanged } from './read-changed.ts'

/** A list that is shown, on a server whose answers the test gives one by one. */
function open() {
  const queryClient = new QueryClient()
  const asked: PromiseWithResolvers<string>[] = []
  const list = new QueryObserver(queryClient, {
    queryKey: ['rooms'],
    queryFn: () => {
      const answer = Promise.withResolvers<string>()
      asked.push(answer)
      return answer.promise
    },
    retry: false
  })
  onTestFinished(list.subscribe(() => {}))
  return { queryClient, asked, shown: () => list.getCurrentResult().data }
}

test('a change during the first read of a list is in the list: that read is followed by another', async () => {
  const { queryClient, asked, shown } = open()
  const read = readChanged(queryClient, { queryKey: ['rooms'] })
  asked[0]?.resolve('before the change')
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.resolve('after it')
  await read
  expect(shown()).toBe('after it')
  expect(asked).toHaveLength(2)
})

test('a later read that is on its way is replaced, and followed by no other', async () => {
  const { queryClient, asked, shown } = open()
  asked[0]?.resolve('at first')
  await expect.poll(shown).toBe('at first')
  const reads = [1, 2].map(() => readChanged(queryClient, { queryKey: ['rooms'] }))
  asked[1]?.resolve('before the change')
  asked[2]?.resolve('after it')
  await Promise.all(reads)
  expect(shown()).toBe('after it')
  expect(asked).toHaveLength(3)
})

test('a first read that failed is not repeated by it', async () => {
  const { queryClient, asked } = open()
  const read = readChanged(queryClient, { queryKey: ['rooms'] })
  asked[0]?.reject(new Error('no answer'))
  await read
  expect(asked).toHaveLength(1)
})
