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
import type { OverPage } from './over-page.ts'
import type { ServerTime } from './server-time.ts'
import type { PendingValues } from './session/pending-values.ts'
import type { SessionUser } from './session/session-user.ts'
import type { SessionControl } from './session/session.ts'
import type { Session } from './session/session-machine.ts'
import type { Connection } from './socket/connection.ts'
import type { ConnectionStatus } from './socket/connection-status.ts'
import type { KeyValueStorage } from './storage.ts'
import type { Theme, ThemeChoice } from './theme/theme.ts'

/** Everything with a life of its own, made once in app/compose.ts and handed down. */
export interface Services {
  api: ApiClient
  brand: Brand
  clock: Timers
  commander: Commander
  connection: Connection
  language: LanguageStore
  live: LiveDevices
  /** For what goes to the console: a person never sees it. */
  logError: (error: unknown) => void
  notices: Notices
  overPage: OverPage
  pending: PendingValues
  queryClient: QueryClient
  serverTime: ServerTime
  session: SessionControl
  storage: KeyValueStorage
  theme: Theme
  /** What the server says, in the language of the page. */
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
/** Whose page it is: the signed-in person, or who still has something typed on it; null when nobody is. */
export function useUser(): SessionUser | null {
  const session = useSession()
  return session.kind === 'out' ? null : session.user
}
/** Whose session ended while something typed was on the page. */
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

/** The latest command of every outlet that has had one. */
export function useCommands(): Commands {
  const { commander } = useServices()
  return useSyncExternalStore(commander.subscribe, commander.getState)
}
const noOutlets: Readonly<Record<number, CommandState>> = {}
/** The latest command of each outlet of a board. */
export function useDeviceCommands(mac: string): Readonly<Record<number, CommandState>> {
  const { commander } = useServices()
  return useSyncExternalStore(commander.subscribe, () => commander.getState()[mac] ?? noOutlets)
}
