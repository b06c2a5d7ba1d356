import type { Audit, AuditSubject } from '../../platform/audit.ts'
import type { AccountDirectory } from '../../platform/people/account-directory.ts'
import { monitorRoutes } from './monitors.routes.ts'
import { createMonitorsService } from './monitors.service.ts'

interface MonitorsDeps {
  audit: Audit
  accounts: { directory: AccountDirectory }
  people: { auditSubject(id: string): Promise<AuditSubject | null> }
}

/** Monitors: support staff invited by mail, with permissions granted by an admin. */
export function createMonitorsFeature({ audit, accounts, people }: MonitorsDeps) {
  return { routes: monitorRoutes({ monitors: createMonitorsService(accounts), audit, find: people.auditSubject }) }
}
