import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sita } from '#web/test/fixtures.ts'
import { createTestApp, type TestServer } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { textsOf } from '#web/test/texts-of.ts'
import { Screen } from './rollouts.tsx'

const now = 1_800_000_000_000

const answerOf = (byState: Record<string, number>) => ({
  data: { rollouts: [], byState, total: 0, page: 1, limit: 50, totalPages: 0 }
})

async function open(role: 'admin' | 'monitor', server: TestServer) {
  const app = await createTestApp({ areas: textsOf('/admin/rollouts'), server })
  const token = accessToken({ role, iatMs: now, expMs: now + 900_000 })
  app.session.signIn({ accessToken: token, refreshToken: 'r' }, { ...sita, role, permissions: [] })
  app.show(<Screen />)
}
async function show(role: 'admin' | 'monitor', byState: Record<string, number>) {
  await open(role, () => answerOf(byState))
  await screen.findByText('No rollouts found')
}

test('an empty list has its only button below its text', async () => {
  await show('admin', {})
  within(screen.getByRole('status')).getByRole('button', { name: 'New rollout' })
  expect(screen.getAllByRole('button', { name: 'New rollout' })).toHaveLength(1)
})

test('the button is not shown in the header of a list that may turn out to be empty', async () => {
  let answer = (): void => undefined
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  await open('admin', async () => {
    await asked
    return answerOf({})
  })
  const button = await screen.findByText('New rollout')
  expect(button.closest('.invisible')).not.toBeNull()
  answer()
  await screen.findByText('No rollouts found')
  expect(screen.getByRole('button', { name: 'New rollout' }).closest('.invisible')).toBeNull()
})

test('the button is shown where the list cannot be loaded', async () => {
  await open('admin', () => ({ status: 403, code: 'FORBIDDEN', message: 'Not for you.' }))
  await screen.findByText('Not for you.')
  expect(screen.getByRole('button', { name: 'New rollout' }).closest('.invisible')).toBeNull()
})

test('a monitor, who may not add one, gets no button', async () => {
  await show('monitor', {})
  expect(screen.queryByRole('button', { name: 'New rollout' })).toBeNull()
})

test.each([
  ['hidden while nothing waits', 0, false],
  ['shown while a rollout waits', 1, true]
])('the filter for approval is %s', async (_what, count, isShown) => {
  await show('admin', { 'waiting-approval': count })
  expect(screen.queryByText('Waiting for another admin') !== null).toBe(isShown)
})
