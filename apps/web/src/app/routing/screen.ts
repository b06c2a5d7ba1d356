import type { MonitorPermission, Role } from '@batti/contracts'
import type { ComponentType } from 'react'
import type { Area } from '#web/i18n/message-id.ts'
import type { Services } from '#web/lib/services.ts'

/** `ask`: what the page reads, asked for as soon as its module is there. */
export interface ScreenModule {
  Screen: ComponentType
  ask?: (services: Services) => void
}

/** One screen: where it is, who may see it (`public`: everybody), the texts it needs, and its module. */
export interface Screen {
  path: string
  roles: readonly Role[] | 'public'
  /** What a monitor needs besides; `none` leads there, the page is the admin's alone. */
  permission?: MonitorPermission | 'none'
  texts: readonly Area[]
  load: () => Promise<ScreenModule>
}
