import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { ApiError } from '#web/lib/api/api-error.ts'
import { reconnectWhenAnswered } from './reconnect-when-answered.ts'

function watch() {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const reconnect = vi.fn<() => void>()
  const end = reconnectWhenAnswered(queryClient, { reconnect })
  const read = (answer: () => Promise<unknown>) =>
    queryClient.fetchQuery({ queryKey: ['rooms'], queryFn: answer }).catch(() => undefined)
  return { queryClient, reconnect, end, read }
}
const fails = (status: number) => () => Promise.reject(new ApiError('NETWORK', 'no answer', { status }))
const answers = () => Promise.resolve([])

test.each([0, 502, 504])('the first answer after a call that ended with %i reconnects, once', async (status) => {
  const { reconnect, read } = watch()
  await read(fails(status))
  expect(reconnect).not.toHaveBeenCalled()
  await read(answers)
  await read(answers)
  expect(reconnect).toHaveBeenCalledOnce()
})

test('answers, refusals and data that the page writes itself do not', async () => {
  const { queryClient, reconnect, read } = watch()
  await read(answers)
  await read(fails(403))
  await read(answers)
  await read(fails(0))
  queryClient.setQueryData(['rooms'], ['Kitchen'])
  expect(reconnect).not.toHaveBeenCalled()
})

test('it ends with the page', async () => {
  const { reconnect, end, read } = watch()
  await read(fails(0))
  end()
  await read(answers)
  expect(reconnect).not.toHaveBeenCalled()
})
