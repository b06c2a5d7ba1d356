import type { Audit, AuditSubject } from '../../platform/audit.ts'
import type { AccountDirectory } from '../../platform/people/account-directory.ts'
import { monitorRoutes } from './monitors.routes.ts'
import { createMonitorsService } from './monitors.service.ts'

interface MonitorsDeps {
  audit: Audit
  accounts: { directory: AccountDirectory }
  people: { auditSubject(id: string): Promise<AuditSubject | null> }
}

/** Staff who help: invited by mail, with the permissions that an admin gives. */
export function createMonitorsFeature({ audit, accounts, people }: MonitorsDeps) {
  return { routes: monitorRoutes({ monitors: createMonitorsService(accounts), audit, find: people.auditSubject }) }
}
