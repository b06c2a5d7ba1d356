import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { RawIntlProvider } from 'react-intl'
import { expect, test } from 'vitest'
import { createTexts } from '#web/lib/i18n/texts.ts'
import { ServicesProvider } from '#web/lib/services.ts'
import { sita } from '#web/test/fixtures.ts'
import { createTestApp, type TestServer } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { useLogout } from './use-logout.ts'

const now = 1_800_000_000_000

async function signedIn(server: TestServer) {
  const app = await createTestApp({ server })
  app.session.signIn({ accessToken: accessToken({ iatMs: now, expMs: now + 900_000 }), refreshToken: 'r1' }, sita)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <ServicesProvider value={app}>
      <RawIntlProvider value={createTexts(app.language.getState())}>{children}</RawIntlProvider>
    </ServicesProvider>
  )
  const { result } = renderHook(() => useLogout(), { wrapper })
  return { ...app, logout: () => act(() => result.current()) }
}

test('the server is told the refresh token, then everything stored is cleared', async () => {
  const { logout, requests, storage, session } = await signedIn(() => ({ data: null }))
  await logout()
  expect(requests[0]).toMatchObject({ method: 'post', url: '/api/v1/user/logout', body: '{"refreshToken":"r1"}' })
  expect(session.getState().kind).toBe('out')
  expect(Object.keys(storage.values())).toEqual(['language'])
})

test('when the call fails nothing is cleared', async () => {
  const { logout, storage, session } = await signedIn(() => ({
    status: 503,
    code: 'UNAVAILABLE',
    message: 'Try again.'
  }))
  await logout()
  expect(session.getState().kind).toBe('in')
  expect(storage.getItem('refreshToken')).toBe('r1')
})
