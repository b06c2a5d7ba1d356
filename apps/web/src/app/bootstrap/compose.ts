import { refreshToken } from '@batti/contracts'
import { readBrand } from './read-brand.ts'
import { firstTexts, loadArea } from '#web/i18n/load-area.ts'
import type { MessageId } from '#web/i18n/message-id.ts'
import { createApiClient } from '#web/lib/api/api-client.ts'
import { inTime } from '#web/lib/api/in-time.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { askAgain, browserTransport, noticeUnsent } from '#web/lib/api/transport.ts'
import { systemClock } from '@batti/kit/clock'
import { createLanguageStore } from '#web/lib/i18n/language-store.ts'
import { createServerWords } from '#web/lib/i18n/server-words.ts'
import { createTexts } from '#web/lib/i18n/texts.ts'
import { createCommander } from '#web/lib/live/commander.ts'
import { createLiveDevices } from '#web/lib/live/live-devices.ts'
import { createNotices } from '#web/lib/live/notices.ts'
import { notify } from '#web/lib/notify.ts'
import { createBackHandlers } from '#web/lib/back-handlers.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import type { Services } from '#web/lib/services.ts'
import { createTabLock } from '#web/lib/session/tab-lock.ts'
import { createServerTime, withServerTime } from '#web/lib/time/server-time.ts'
import { createPendingValues } from '#web/lib/session/pending-values.ts'
import { createSession, type RenewCall } from '#web/lib/session/session.ts'
import { createConnection } from '#web/lib/socket/connection.ts'
import { createOpenSocket } from '#web/lib/socket/live-socket.ts'
import { safeStorage } from '#web/lib/storage.ts'
import { createTheme } from '#web/lib/theme/theme.ts'
import { announceEnding } from './announce-ending.ts'

/**
 * Shorter than `refreshGraceMs`: a renewal whose answer was lost is repeated while the server still returns the same
 * tokens.
 */
const renewalWithinMs = 7000

/** The composition root: the only place that creates services and connects them. */
export function compose(page: Window & typeof globalThis, logError: (error: unknown) => void): Services {
  const clock = systemClock
  const storage = safeStorage(() => page.localStorage)
  const language = createLanguageStore({
    storage,
    browserLanguages: page.navigator.languages,
    root: page.document.documentElement,
    firstTexts,
    loadArea
  })
  const say = (id: MessageId) => createTexts(language.getState()).formatMessage({ id })

  const words = createServerWords(language)
  const serverTime = createServerTime(clock)
  // On the server's own machine the page works without a network: then its connection is live.
  const hasNetwork = () => page.navigator.onLine || connection.getState() === 'live'
  const transport = withServerTime(noticeUnsent(askAgain(browserTransport), hasNetwork), serverTime)

  // The renewal call needs a client of its own: without a token, and without renewal when it is refused.
  const bare = createApiClient({
    transport: inTime(transport, clock, () => renewalWithinMs),
    authority: { authorize: async () => null, currentToken: () => null, rejected: async () => false },
    onForbidden: () => {}
  })
  const renewCall: RenewCall = async (token) => {
    try {
      return await bare.call(refreshToken, { body: token === null ? {} : { refreshToken: token } })
    } catch (error) {
      return { status: error instanceof ApiError ? error.status : 0 }
    }
  }
  const session = createSession({
    storage,
    clock,
    renewCall,
    withTabLock: createTabLock(page.navigator.locks, 'batti-session')
  })
  const api = createApiClient({
    transport: inTime(transport, clock),
    authority: session,
    onForbidden: () => notify.error(say('shell.forbidden'), 'forbidden'),
    words
  })
  const connection = createConnection({
    open: createOpenSocket(page.location.origin),
    clock,
    token: session.authorize,
    renew: async () => {
      await session.renew()
      return session.getState().kind === 'in'
    }
  })
  const commander = createCommander({
    connection,
    clock,
    onEnding: (ending) => announceEnding(ending, { say, words, device: page.navigator })
  })
  const queryClient = createQueryClient()
  queryClient.setQueryDefaults(['live-device'], { gcTime: Infinity, staleTime: Infinity })
  const live = createLiveDevices({ queryClient, connection, commander })
  const theme = createTheme({
    storage,
    root: page.document.documentElement,
    prefersDark: page.matchMedia('(prefers-color-scheme: dark)'),
    themeColor: page.document.querySelector('meta[name="theme-color"]')
  })

  return {
    api,
    brand: readBrand(page.document),
    clock,
    commander,
    connection,
    language,
    live,
    logError,
    notices: createNotices(connection),
    backHandlers: createBackHandlers(page),
    pending: createPendingValues(storage),
    queryClient,
    serverTime,
    session,
    storage,
    theme,
    words
  }
}
