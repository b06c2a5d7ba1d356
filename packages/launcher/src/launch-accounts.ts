import type { Account } from './closing-block.ts'
import type { Settings } from './config.ts'
import { demoPeople } from './demo-plan.ts'
import type { HomeKind } from './home-kind.ts'
import type { Secrets } from './secrets.ts'

/** The admin that the api is started with: a person's own settings first. */
export function adminOf(secrets: Secrets, env: Settings['env']): Account {
  return {
    role: 'admin',
    email: env['ADMIN_EMAIL'] ?? demoPeople.admin.email,
    password: env['ADMIN_PASSWORD'] ?? secrets.ADMIN_PASSWORD
  }
}

/** The accounts that a home of this kind is made with. */
export function accountsOf(kind: HomeKind, secrets: Secrets, admin: Account): Account[] {
  if (kind === 'empty') return [admin]
  return [
    { role: 'user', email: demoPeople.user.email, password: secrets.USER_PASSWORD },
    admin,
    { role: 'monitor', email: demoPeople.monitor.email, password: secrets.MONITOR_PASSWORD }
  ]
}
