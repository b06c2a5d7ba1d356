import type { AccountDirectory } from '../../platform/people/account-directory.ts'
import { monitorRoutes } from './monitors.routes.ts'
import { createMonitorsService } from './monitors.service.ts'

/** Staff who help: invited by mail, with the permissions that an admin gives. */
export function createMonitorsFeature({ accounts }: { accounts: { directory: AccountDirectory } }) {
  return { routes: monitorRoutes({ monitors: createMonitorsService(accounts) }) }
}
