import type { MonitorPermission, Role } from '@batti/contracts'
import type { ComponentType } from 'react'
import type { Area } from '#web/i18n/message-id.ts'
import type { Services } from '#web/lib/services.ts'

/** `ask` starts the page's queries as soon as its module is loaded. */
export interface ScreenModule {
  Screen: ComponentType
  ask?: (services: Services) => void
}

/** One screen: its path, the roles that may see it (`public`: everybody), its texts, and its module. */
export interface Screen {
  path: string
  roles: readonly Role[] | 'public'
  /** The permission that a monitor needs as well; no permission opens a `none` page, which is the admin's alone. */
  permission?: MonitorPermission | 'none'
  texts: readonly Area[]
  load: () => Promise<ScreenModule>
}
