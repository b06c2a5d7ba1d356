import { act, render, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { firstTexts, loadArea } from '#web/i18n/load-area.ts'
import type { Language } from '#web/lib/i18n/language.ts'
import { createLanguageStore, type LanguageDeps } from '#web/lib/i18n/language-store.ts'
import { sita } from '#web/test/fixtures.ts'
import { memoryStorage } from '#web/test/memory-storage.ts'
import { createTestApp } from '#web/test/test-app.tsx'
import { accessToken } from '#web/test/tokens.ts'
import { App } from './app.tsx'
import { openHomeOffline, openFirstScreen } from './first-visit.ts'

// The toast library queries prefers-reduced-motion, which jsdom does not have.
vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => {}, removeEventListener: () => {} }))

type LoadArea = LanguageDeps['loadArea']
const lostFile = new TypeError('Failed to fetch dynamically imported module: /assets/texts.js')

/** The file with this area's texts fails to load the first `times` times. */
function losing(lost: string, times: number): LoadArea {
  let lostTimes = 0
  return async (language, area) => {
    if (area !== lost || lostTimes >= times) return loadArea(language, area)
    lostTimes += 1
    throw lostFile
  }
}

/** A visit that begins at the login. */
async function visitLogin(load: LoadArea, language: Language = 'en') {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const before = window.location.pathname
  window.history.replaceState(null, '', '/user/login')
  onTestFinished(() => window.history.replaceState(null, '', before))
  const app = await createTestApp()
  const storage = memoryStorage({ language })
  const texts = { storage, browserLanguages: [], root: document.documentElement, firstTexts, loadArea: load }
  const services = { ...app, language: createLanguageStore(texts) }
  const opening = openFirstScreen(services, '/user/login')
  const open = async () => void render(<App services={services} first={await opening} />)
  return { ...app, open }
}

/** A page retries once by itself, a second later, before it reports the failure. */
async function sayLost(clock: Awaited<ReturnType<typeof createTestApp>>['clock'], heading: string) {
  await expect
    .poll(() => {
      act(() => clock.advance(1000))
      return screen.queryByRole('heading', { name: heading })
    })
    .not.toBeNull()
}

test.each<[string, Language, string, string]>([
  ['accounts', 'en', 'This did not load', 'Try again'],
  ['shell', 'en', 'This did not load', 'Try again'],
  ['shell', 'ne', 'यो खुलेन', 'फेरि प्रयास गर्नुहोस्']
])('texts of %s (%s) that fail at the first load are reported in the frame', async (area, language, heading, way) => {
  const { open, clock } = await visitLogin(losing(area, Infinity), language)
  await open()
  await sayLost(clock, heading)
  screen.getByRole('button', { name: way })
  expect(screen.getByRole('banner').textContent).toContain('Batti')
})

test.each([
  ['accounts', 3],
  ['shell', 2]
])('texts of %s that fail to load are loaded again by themselves', async (area, times) => {
  const { open, clock } = await visitLogin(losing(area, times))
  await open()
  await sayLost(clock, 'This did not load')
  // Advances repeatedly: on a slow machine the retry is scheduled after the heading is drawn.
  await expect
    .poll(() => {
      act(() => clock.advance(1000))
      return screen.queryByRole('button', { name: 'Login' })
    })
    .not.toBeNull()
})

test('a page does not wait for late texts: it shows that it is loading', async () => {
  const { open, clock } = await visitLogin(() => new Promise(() => {}))
  clock.advance(1000)
  await open()
  await screen.findByText('Loading...')
})

test('a signed-in user without a network starts at their home, not at the public page', async () => {
  const { session, clock } = await createTestApp()
  const replaceState = vi.fn<History['replaceState']>()
  const startAt = (pathname: string, onLine: boolean) => {
    const page = { location: { pathname }, history: { replaceState }, navigator: { onLine } }
    openHomeOffline({ session }, page as unknown as Window)
  }
  startAt('/', false)
  const now = clock.now()
  session.signIn(
    { accessToken: accessToken({ role: 'user', iatMs: now, expMs: now + 900_000 }), refreshToken: 'r1' },
    sita
  )
  startAt('/', true)
  startAt('/support', false)
  expect(replaceState).not.toHaveBeenCalled()
  startAt('/', false)
  expect(replaceState).toHaveBeenCalledExactlyOnceWith(null, '', '/user/home')
})
