import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { sita } from '#web/test/fixtures.ts'
import { createTestApp, type TestServer } from '#web/test/test-app.tsx'
import { ConnectionBar } from './connection-bar.tsx'

const lost = 'No connection. What you see may have changed.'
const blocked = /This network blocks live connections/
const account = { data: { ...sita, createdAt: '2026-11-01T00:00:00.000Z' } }

async function open(server: TestServer) {
  const app = await createTestApp({ server })
  const reconnect = vi.spyOn(app.connection, 'reconnect')
  app.show(<ConnectionBar />)
  const lose = async () => {
    await act(async () => app.line.setStatus('reconnecting'))
    await act(async () => app.line.setStatus('lost'))
  }
  return { ...app, reconnect, lose }
}

test('a server that answers is tried again at once; when that fails too, the network is said to block the connection', async () => {
  const { reconnect, lose, line } = await open(() => account)
  await lose()
  await waitFor(() => expect(reconnect).toHaveBeenCalledTimes(1))
  screen.getByText(lost)
  await lose()
  await screen.findByText(blocked)
  expect(reconnect).toHaveBeenCalledTimes(1)
  await act(async () => line.setStatus('live'))
  expect(screen.queryByText(blocked)).toBeNull()
  await lose()
  await waitFor(() => expect(reconnect).toHaveBeenCalledTimes(2))
  expect(screen.queryByText(blocked)).toBeNull()
})

test('a network that blocked the connection once is not said to block it at the next loss before that is known', async () => {
  const answers: (typeof account)[] = [account, account]
  const { reconnect, lose, line } = await open(() => answers.shift() ?? new Promise(() => {}))
  await lose()
  await waitFor(() => expect(reconnect).toHaveBeenCalledTimes(1))
  await lose()
  await screen.findByText(blocked)
  await act(async () => line.setStatus('live'))
  await lose()
  screen.getByText(lost)
})

test('a screen reader is told that the connection is back, but not of the first one', async () => {
  const { lose, line } = await open(() => ({ status: 503, code: 'UNAVAILABLE', message: 'Away' }))
  const said = () => screen.getByRole('status').textContent
  await act(async () => line.setStatus('live'))
  expect(said()).toBe('')
  await lose()
  expect(said()).toContain(lost)
  await act(async () => line.setStatus('live'))
  expect(said()).toBe('Connected again.')
})

test('without an answer of the server it is only a lost connection', async () => {
  const { lose, reconnect, requests } = await open(() => ({ status: 503, code: 'UNAVAILABLE', message: 'Away' }))
  for (const round of [1, 2, 3]) {
    await lose()
    await waitFor(() => expect(requests).toHaveLength(round))
  }
  screen.getByText(lost)
  expect(screen.queryByText(blocked)).toBeNull()
  expect(reconnect).not.toHaveBeenCalled()
})
