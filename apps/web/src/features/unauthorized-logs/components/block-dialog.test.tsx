import { dayMs, hourMs } from '@batti/kit/durations'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { unauthorizedLog } from '#web/test/fixtures.ts'
import { createTestApp, type Answer } from '#web/test/test-app.tsx'
import { ToastTexts } from '#web/test/toast-texts.tsx'
import { textsOf } from '#web/test/texts-of.ts'
import { BlockDialog } from './block-dialog.tsx'

const log = unauthorizedLog()

test('a block ends an hour after the time of the server, however wrong the clock of the browser is', async () => {
  const { show, clock, serverTime, requests } = await createTestApp({
    areas: textsOf('/admin/unauthorized-logs'),
    server: ({ method }) => ({ data: method === 'get' ? { users: 0, boards: 0, sample: [] } : log })
  })
  // A header has whole seconds.
  const served = new Date(Math.ceil((clock.now() + dayMs) / 1000) * 1000)
  serverTime.heard(served.toUTCString())
  show(<BlockDialog log={log} onClose={() => {}} />)
  fireEvent.click(screen.getByRole('button', { name: 'Block for 1 hour' }))
  const sent = () => requests.find(({ method }) => method === 'patch')?.body
  await waitFor(() => expect(sent()).toBeDefined())
  const until = new Date(served.getTime() + hourMs).toISOString()
  expect(sent()).toBe(JSON.stringify({ blocked: true, until, seen: { blocked: false, until: null } }))
})

test('a block that another admin has set meanwhile closes the question, and the list is read again', async () => {
  const message = 'Another admin has blocked this address meanwhile. The list shows until when.'
  const { show, queryClient } = await createTestApp({
    areas: textsOf('/admin/unauthorized-logs'),
    server: ({ method }) =>
      method === 'get' ? { data: { users: 0, boards: 0, sample: [] } } : { status: 409, code: 'CONFLICT', message }
  })
  queryClient.setQueryData(['unauthorized-logs'], {})
  const close = vi.fn<() => void>()
  show(
    <>
      <BlockDialog log={log} onClose={close} />
      <ToastTexts />
    </>
  )
  fireEvent.click(screen.getByRole('button', { name: 'Block for 1 hour' }))
  await screen.findByText(message)
  expect(close).toHaveBeenCalled()
  expect(queryClient.getQueryState(['unauthorized-logs'])?.isInvalidated).toBe(true)
})

test('the term that was sent stays chosen while the answer is awaited', async () => {
  const answer = Promise.withResolvers<Answer>()
  const { show } = await createTestApp({
    areas: textsOf('/admin/unauthorized-logs'),
    server: ({ method }) => (method === 'get' ? { data: { users: 0, boards: 0, sample: [] } } : answer.promise)
  })
  show(<BlockDialog log={log} onClose={() => {}} />)
  const [hour] = screen.getAllByRole('radio')
  fireEvent.click(screen.getByRole('button', { name: 'Block for 1 hour' }))
  await waitFor(() => expect(hour?.closest('[inert]')).not.toBeNull())
  await act(async () => answer.resolve({ status: 503, code: 'UNAVAILABLE', message: 'The server is busy.' }))
  await waitFor(() => expect(hour?.closest('[inert]')).toBeNull())
})
