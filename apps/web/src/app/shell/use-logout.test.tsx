import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { RawIntlProvider } from 'react-intl'
import { afterEach, expect, test, vi } from 'vitest'
import { networkError } from '@batti/client/transport'
import { createTexts } from '#web/lib/i18n/texts.ts'
import { notify } from '#web/lib/notify.ts'
import { ServicesProvider } from '#web/lib/services.ts'
import { sita } from '#web/test/fixtures.ts'
import { createTestApp, type TestServer } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { useLogout } from './use-logout.ts'

const now = 1_800_000_000_000

afterEach(() => vi.restoreAllMocks())

async function signedIn(server: TestServer) {
  const app = await createTestApp({ server })
  app.session.signIn({ accessToken: accessToken({ iatMs: now, expMs: now + 900_000 }), refreshToken: 'r1' }, sita)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <ServicesProvider value={app}>
      <RawIntlProvider value={createTexts(app.language.getState())}>{children}</RawIntlProvider>
    </ServicesProvider>
  )
  const { result } = renderHook(() => useLogout(), { wrapper })
  const errors: string[] = []
  vi.spyOn(notify, 'error').mockImplementation((message) => void errors.push(message))
  return { ...app, errors, logout: () => act(() => result.current()) }
}

test('the refresh token is sent to the server, then all stored data is removed', async () => {
  const { logout, requests, storage, session } = await signedIn(() => ({ data: null }))
  await logout()
  expect(requests[0]).toMatchObject({ method: 'post', url: '/api/v1/user/logout', body: '{"refreshToken":"r1"}' })
  expect(session.getState().kind).toBe('out')
  expect(Object.keys(storage.values())).toEqual(['language'])
})

test('a lost answer is requested once more: the session is over, and no error is shown', async () => {
  let calls = 0
  const app = await signedIn(() => (++calls === 1 ? Promise.reject(networkError(null)) : { data: null }))
  await app.logout()
  expect(app.session.getState().kind).toBe('out')
  expect(calls).toBe(2)
  expect(app.errors).toEqual([])
})

test('if the session ends before the call fails, no error is shown', async () => {
  const app = await signedIn(() => {
    app.session.end('expired')
    return Promise.reject(networkError(null))
  })
  await app.logout()
  expect(app.errors).toEqual([])
})

test('an unreachable server is reported, and nothing is removed', async () => {
  const { logout, session, errors } = await signedIn(() => Promise.reject(networkError(null)))
  await logout()
  expect(session.getState().kind).toBe('in')
  expect(errors).toEqual(['Logout failed'])
})

test('nothing is removed when the call fails', async () => {
  const { logout, storage, session } = await signedIn(() => ({
    status: 503,
    code: 'UNAVAILABLE',
    message: 'Try again.'
  }))
  await logout()
  expect(session.getState().kind).toBe('in')
  expect(storage.getItem('refreshToken')).toBe('r1')
})
