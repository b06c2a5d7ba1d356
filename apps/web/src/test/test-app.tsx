import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { StrictMode, type ReactElement } from 'react'
import { BrowserRouter, MemoryRouter } from 'react-router-dom'
import { brandOf } from '@batti/contracts/brand'
import { firstTexts, loadArea } from '#web/i18n/load-area.ts'
import type { Area } from '#web/i18n/message-id.ts'
import { createApiClient } from '#web/lib/api/api-client.ts'
import { inTime } from '#web/lib/api/in-time.ts'
import type { HttpRequest } from '@batti/client/transport'
import { createLanguageStore } from '#web/lib/i18n/language-store.ts'
import { createServerWords } from '#web/lib/i18n/server-words.ts'
import { TextsProvider } from '#web/lib/i18n/texts-provider.tsx'
import type { Ending } from '#web/lib/live/command-machine.ts'
import { createCommander } from '#web/lib/live/commander.ts'
import { createLiveDevices } from '#web/lib/live/live-devices.ts'
import { createNotices } from '#web/lib/live/notices.ts'
import { createBackHandlers } from '#web/lib/back-handlers.ts'
import { ServicesProvider, type Services } from '#web/lib/services.ts'
import { createServerTime } from '#web/lib/time/server-time.ts'
import { createPendingValues } from '#web/lib/session/pending-values.ts'
import { createSession } from '#web/lib/session/session.ts'
import { createTheme } from '#web/lib/theme/theme.ts'
import { createFakeClock } from '@batti/kit/testing'
import { memoryStorage } from './memory-storage.ts'
import { createTestConnection } from './test-connection.ts'

/** The server's answer: the envelope's `data`, or a refusal. */
export type Answer = { data: unknown } | { status: number; code: string; message: string; errors?: unknown }
export type TestServer = (request: HttpRequest) => Answer | Promise<Answer>

function envelope(answer: Answer) {
  if ('data' in answer)
    return { status: 200, body: { statusCode: 200, success: true, message: 'Done.', data: answer.data } }
  const { status, ...rest } = answer
  return { status, body: { statusCode: status, success: false, requestId: 'r', ...rest } }
}

/** Creates the app's real services with a fake clock, storage, server and socket. */
export async function createTestApp(
  options: { areas?: readonly Area[]; server?: TestServer; language?: 'en' | 'ne' } = {}
) {
  const clock = createFakeClock()
  const storage = memoryStorage({ language: options.language ?? 'en' })
  const line = createTestConnection()
  const endings: Ending[] = []
  const requests: HttpRequest[] = []
  const session = createSession({
    storage,
    clock,
    renewCall: async () => ({ status: 401 }),
    withTabLock: (task) => task()
  })
  const commander = createCommander({ connection: line.connection, clock, onEnding: (ending) => endings.push(ending) })
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Infinity } } })
  const live = createLiveDevices({ queryClient, connection: line.connection, commander })
  const language = createLanguageStore({
    storage,
    browserLanguages: [],
    root: document.documentElement,
    firstTexts,
    loadArea
  })
  await language.need(['common', 'shell', ...(options.areas ?? [])])
  const api = createApiClient({
    transport: inTime(async (request) => {
      requests.push(request)
      const { status, body } = envelope(await (options.server?.(request) ?? { data: null }))
      return { status, text: JSON.stringify(body), retryAfter: null }
    }, clock),
    authority: session,
    onForbidden: () => {}
  })
  const prefersDark = { matches: false, addEventListener: () => {} } as unknown as MediaQueryList
  const services: Services = {
    api,
    brand: brandOf('batti'),
    clock,
    commander,
    connection: line.connection,
    language,
    live,
    logError: () => {},
    notices: createNotices(line.connection),
    backHandlers: createBackHandlers(window),
    pending: createPendingValues(storage),
    queryClient,
    serverTime: createServerTime(clock),
    session,
    storage,
    theme: createTheme({ storage, root: document.documentElement, prefersDark, themeColor: null }),
    words: createServerWords(language)
  }
  live.start()
  const around = (routed: ReactElement) => (
    <ServicesProvider value={services}>
      <TextsProvider>
        <QueryClientProvider client={queryClient}>{routed}</QueryClientProvider>
      </TextsProvider>
    </ServicesProvider>
  )
  return {
    ...services,
    clock,
    storage,
    line,
    endings,
    requests,
    show: (screen: ReactElement, at = '/') =>
      render(
        around(
          <MemoryRouter useTransitions={false} initialEntries={[at]}>
            {screen}
          </MemoryRouter>
        )
      ),
    /** With the window's own history, and every effect run twice. */
    showInBrowser: (screen: ReactElement) =>
      render(<StrictMode>{around(<BrowserRouter useTransitions={false}>{screen}</BrowserRouter>)}</StrictMode>)
  }
}
