import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { createFakeClock } from '@batti/kit/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLaterRefresh } from './later-refresh.ts'

test('frequent requests never cancel an answer that is slower than they are', async () => {
  const clock = createFakeClock()
  const queryClient = new QueryClient()
  const answers: ((value: number) => void)[] = []
  const cancelled = vi.fn<() => void>()
  const observer = new QueryObserver(queryClient, {
    queryKey: ['fleet'],
    queryFn: ({ signal }) => {
      signal.addEventListener('abort', cancelled)
      return new Promise<number>((resolve) => answers.push(resolve))
    },
    initialData: 0,
    staleTime: Infinity
  })
  onTestFinished(observer.subscribe(() => {}))
  const refresh = createLaterRefresh(queryClient, clock, 1000)
  for (let second = 0; second < 5; second += 1) {
    refresh.ask([['fleet']])
    clock.advance(1000)
  }
  expect(answers).toHaveLength(1)
  answers[0]?.(1)
  await expect.poll(() => observer.getCurrentResult()).toMatchObject({ data: 1, isFetching: false })
  // What was asked for meanwhile follows after the usual delay.
  await expect
    .poll(() => {
      clock.advance(1000)
      return answers
    })
    .toHaveLength(2)
  expect(cancelled).not.toHaveBeenCalled()
})
