import { act, screen, waitFor } from '@testing-library/react'
import type { RolloutRecord } from '@batti/contracts'
import { expect, test } from 'vitest'
import { queryKeys } from '#web/lib/query-keys.ts'
import { bulkRecord } from '#web/test/fixtures.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { BulkOutcome } from './bulk-outcome.tsx'

const id = 'b'.repeat(24)
const course = (counts: RolloutRecord['counts'], fields: Partial<RolloutRecord> = {}) =>
  bulkRecord({ _id: id, counts, ...fields })

test.each([
  [{ done: 1, waiting: 1 }, '1 of 2 done', true],
  [{ done: 2 }, '2 of 2 done', false]
])('of %o shows how many are done, and of those that wait where some do', async (counts, done, someWait) => {
  const app = await createTestApp({ areas: ['fleet', 'table'], server: () => ({ data: course(counts) }) })
  app.show(<BulkOutcome title="Colour" made={{ id, total: 2 }} path={null} onClose={() => {}} />)
  const told = () => document.querySelector('[role=dialog]')?.textContent ?? ''
  await screen.findByText(done)
  await waitFor(() => expect(told()).toContain(done))
  expect(told().includes('take it when they return')).toBe(someWait)
})

test('of one that waits for another admin says that nothing is sent yet', async () => {
  const data = course({ waiting: 2 }, { state: 'waiting-approval' })
  const app = await createTestApp({ areas: ['fleet', 'table'], server: () => ({ data }) })
  app.show(<BulkOutcome title="Colour" made={{ id, total: 2 }} path={null} onClose={() => {}} />)
  await screen.findByText('Nothing is sent before another admin starts it.')
})

test('shows the record that events of the staff room update, and never asks for it by itself', async () => {
  const app = await createTestApp({ areas: ['fleet', 'table'], server: () => ({ data: course({ waiting: 2 }) }) })
  app.show(<BulkOutcome title="Colour" made={{ id, total: 2 }} path={null} onClose={() => {}} />)
  await screen.findByText('0 of 2 done')
  const queryKey = [...queryKeys.rollouts, 'one', id]
  await waitFor(() => expect(app.queryClient.getQueryData(queryKey)).toBeDefined())
  act(() => void app.queryClient.setQueryData(queryKey, course({ done: 1, waiting: 1 })))
  const moving = await screen.findByText('1 of 2 done')
  expect(moving.closest('[role=status]')).toBeNull()
  const [shown] = app.queryClient.getQueryCache().find({ queryKey })?.observers ?? []
  expect(shown?.options.refetchInterval).toBeUndefined()
})

test('that has ended loads the list of boards again: only the server knows which ones its filter finds now', async () => {
  const app = await createTestApp({ areas: ['fleet', 'table'], server: () => ({ data: course({ waiting: 2 }) }) })
  app.queryClient.setQueryData(queryKeys.devices, [])
  const isOld = () => app.queryClient.getQueryState(queryKeys.devices)?.isInvalidated
  app.show(<BulkOutcome title="Colour" made={{ id, total: 2 }} path={null} onClose={() => {}} />)
  await screen.findByText('0 of 2 done')
  const queryKey = [...queryKeys.rollouts, 'one', id]
  await waitFor(() => expect(app.queryClient.getQueryData(queryKey)).toBeDefined())
  expect(isOld()).toBe(false)
  act(() => void app.queryClient.setQueryData(queryKey, course({ done: 2 }, { state: 'done' })))
  await waitFor(() => expect(isOld()).toBe(true))
})

test.each(['paused', 'asking'] as const)('of one that is %s says where to see why', async (state) => {
  const data = course({ failed: 2 }, { state })
  const app = await createTestApp({ areas: ['fleet', 'table'], server: () => ({ data }) })
  app.show(<BulkOutcome title="Colour" made={{ id, total: 2 }} path={null} onClose={() => {}} />)
  const words = await screen.findByText(/It is paused\. “Board by board” says why/)
  expect(words.closest('[role=status]')).not.toBeNull()
  expect(screen.queryByText(/wait for their boards/)).toBeNull()
})

test('whose progress cannot be loaded says that the change was started', async () => {
  const app = await createTestApp({
    areas: ['fleet', 'table'],
    server: () => ({ status: 403, code: 'FORBIDDEN', message: '' })
  })
  app.show(<BulkOutcome title="Colour" made={{ id, total: 2 }} path={null} onClose={() => {}} />)
  await screen.findByText('The change was started, but its progress could not be loaded')
})

test('has its share in the digits of the language', async () => {
  const server = () => ({ data: course({ done: 1, waiting: 1 }) })
  const app = await createTestApp({ areas: ['fleet', 'table'], language: 'ne', server })
  app.show(<BulkOutcome title="Colour" made={{ id, total: 2 }} path={null} onClose={() => {}} />)
  await screen.findByText('५०%')
  expect(screen.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('५०%')
})
