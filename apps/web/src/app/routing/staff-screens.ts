import type { MonitorPermission } from '@batti/contracts'
import type { Area } from '#web/i18n/message-id.ts'
import type { Screen } from './screens.ts'

interface StaffPage {
  page: string
  /** What a monitor needs for it; null for every monitor, left out where the page is the admin's alone. */
  permission?: MonitorPermission | null
  texts: readonly Area[]
  load: Screen['load']
}

/** What every list needs. */
const listTexts = ['table', 'rules', 'staff'] as const

const pages: readonly StaffPage[] = [
  { page: 'dashboard', permission: null, texts: ['staff'], load: () => import('#web/routes/staff/dashboard.tsx') },
  {
    page: 'users',
    permission: 'view users',
    texts: [...listTexts, 'users'],
    load: () => import('#web/routes/staff/users.tsx')
  }
]

/** Pages of admins, and of monitors as far as a permission of theirs leads there. */
export const staffScreens: readonly Screen[] = pages.flatMap(({ page, permission, texts, load }) => [
  { path: `/admin/${page}`, roles: ['admin'], texts, load },
  ...(permission === undefined
    ? []
    : [
        {
          path: `/monitor/${page}`,
          roles: ['monitor'] as const,
          texts,
          load,
          ...(permission !== null && { permission })
        }
      ])
])
