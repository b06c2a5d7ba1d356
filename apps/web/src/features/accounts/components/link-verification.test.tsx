import { networkError } from '@batti/client/transport'
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { createTestApp } from '#web/test/test-app.tsx'
import { LinkVerification } from './link-verification.tsx'

test.each([
  ['email', 'Ask for a new link', '/login?next=verify-email'],
  ['phone', 'Ask for a new code', '/login?next=verify-phone'],
  ['forgot-password', 'Ask for a new link', '/user/forgot-password']
] as const)('an expired link for %s is reported, with a way to get a new one', async (type, name, href) => {
  const message = 'This link is invalid or has expired. Please ask for a new one.'
  const app = await createTestApp({
    areas: ['recovery'],
    server: () => ({ status: 400, code: 'CODE_INVALID', message })
  })
  app.show(<LinkVerification type={type} token="spent" onVerified={() => {}} />)
  expect((await screen.findByRole('alert')).textContent).toContain(message)
  expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(href)
})

test('a link whose check got no answer can be tried again', async () => {
  let tries = 0
  const app = await createTestApp({
    areas: ['recovery'],
    server: () => (++tries === 1 ? Promise.reject(networkError(null)) : { data: null })
  })
  app.show(<LinkVerification type="forgot-password" token="good" onVerified={() => {}} />)
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  await screen.findByText('The link is valid.')
})

test.each([
  ['leads on three seconds later', false, 1],
  ['leads nowhere once its page was left', true, 0]
])('a valid link %s', async (_, hasLeft, times) => {
  const app = await createTestApp({ areas: ['recovery'] })
  const onVerified = vi.fn<() => void>()
  const { unmount } = app.show(<LinkVerification type="forgot-password" token="good" onVerified={onVerified} />)
  await screen.findByText('The link is valid.')
  if (hasLeft) unmount()
  act(() => app.clock.advance(3000))
  expect(onVerified).toHaveBeenCalledTimes(times)
})
