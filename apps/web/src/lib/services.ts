import type { QueryClient } from '@tanstack/react-query'
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Brand } from '@batti/contracts/brand'
import type { ApiClient } from './api/api-client.ts'
import type { Timers } from '@batti/kit/clock'
import type { LanguageState, LanguageStore } from './i18n/language-store.ts'
import type { ServerWords } from './i18n/server-words.ts'
import type { Commands, CommandState } from './live/command-machine.ts'
import type { Commander } from './live/commander.ts'
import type { LiveDevices } from './live/live-devices.ts'
import type { Notices } from './live/notices.ts'
import type { BackHandlers } from './back-handlers.ts'
import type { ServerTime } from './time/server-time.ts'
import type { PendingValues } from './session/pending-values.ts'
import type { SessionUser } from './session/session-user.ts'
import type { SessionControl } from './session/session.ts'
import type { Session } from './session/session-machine.ts'
import type { Connection } from './socket/connection.ts'
import type { ConnectionStatus } from './socket/connection-status.ts'
import type { KeyValueStorage } from './storage.ts'
import type { Theme, ThemeChoice } from './theme/theme.ts'

/** All stateful services, created once in app/bootstrap/compose.ts and passed down. */
export interface Services {
  api: ApiClient
  brand: Brand
  clock: Timers
  commander: Commander
  connection: Connection
  language: LanguageStore
  live: LiveDevices
  /** Logs to the console, which people do not see. */
  logError: (error: unknown) => void
  notices: Notices
  backHandlers: BackHandlers
  pending: PendingValues
  queryClient: QueryClient
  serverTime: ServerTime
  session: SessionControl
  storage: KeyValueStorage
  theme: Theme
  /** Translates the server's messages to the language of the page. */
  words: ServerWords
}

const ServicesContext = createContext<Services | null>(null)
export const ServicesProvider = ServicesContext.Provider

export function useServices(): Services {
  const services = useContext(ServicesContext)
  if (services === null) throw new Error('useServices needs a ServicesProvider above it')
  return services
}

export function useApi(): ApiClient {
  return useServices().api
}
function useSession(): Session {
  const { session } = useServices()
  return useSyncExternalStore(session.subscribe, session.getState)
}
/** Returns the person whose page it is: signed in, or with unsaved input after the session ended; null when there is none. */
export function useUser(): SessionUser | null {
  const session = useSession()
  return session.kind === 'out' ? null : session.user
}
/** Returns the person whose session ended while the page had unsaved input. */
export function useEndedUser(): SessionUser | null {
  const session = useSession()
  return session.kind === 'over' ? session.user : null
}
export function useConnectionStatus(): ConnectionStatus {
  const { connection } = useServices()
  return useSyncExternalStore(connection.subscribe, connection.getState)
}
export function useLanguageState(): LanguageState {
  const { language } = useServices()
  return useSyncExternalStore(language.subscribe, language.getState)
}
export function useThemeChoice(): ThemeChoice {
  const { theme } = useServices()
  return useSyncExternalStore(theme.subscribe, theme.getState)
}

/** Returns the latest command of every outlet. */
export function useCommands(): Commands {
  const { commander } = useServices()
  return useSyncExternalStore(commander.subscribe, commander.getState)
}
const noOutlets: Readonly<Record<number, CommandState>> = {}
/** Returns the latest command of each outlet of a board. */
export function useDeviceCommands(mac: string): Readonly<Record<number, CommandState>> {
  const { commander } = useServices()
  return useSyncExternalStore(commander.subscribe, () => commander.getState()[mac] ?? noOutlets)
}
