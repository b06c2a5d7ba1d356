import * as accounts from './http/accounts.ts'
import * as actionLogs from './http/action-logs.ts'
import * as auditLogs from './http/audit-logs.ts'
import * as bulkDevices from './http/bulk-devices.ts'
import * as deviceTypes from './http/device-types.ts'
import * as devices from './http/devices.ts'
import * as firmwareFiles from './http/firmware-files.ts'
import * as deviceFirmware from './http/device-firmware.ts'
import * as fleet from './http/fleet.ts'
import * as monitors from './http/monitors.ts'
import * as overview from './http/overview.ts'
import * as rollouts from './http/rollouts.ts'
import * as rooms from './http/rooms.ts'
import type { Route } from './http/route.ts'
import * as schedules from './http/schedules.ts'
import * as search from './http/search.ts'
import * as sessions from './http/sessions.ts'
import * as switches from './http/switches.ts'
import * as unauthorizedLogs from './http/unauthorized-logs.ts'
import * as users from './http/users.ts'

const byTag = {
  Accounts: { ...accounts, ...sessions },
  Devices: devices,
  Switches: switches,
  Rooms: rooms,
  Schedules: schedules,
  'Action logs': actionLogs,
  Overview: overview,
  'Device types': deviceTypes,
  Users: users,
  Monitors: monitors,
  'Unauthorized logs': unauthorizedLogs,
  'Audit log': auditLogs,
  Fleet: fleet,
  Search: search,
  Firmware: { ...firmwareFiles, ...deviceFirmware },
  Rollouts: { ...bulkDevices, ...rollouts }
} as const

export interface TaggedRoute {
  tag: string
  /** The descriptor's export name, used as operation id in the reference. */
  name: string
  route: Route
}

const isRoute = (value: unknown): value is Route =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** Every call of the product, in the order of the reference. */
export const allRoutes: readonly TaggedRoute[] = Object.entries(byTag).flatMap(([tag, module]) =>
  Object.entries(module).flatMap(([name, value]) => (isRoute(value) ? [{ tag, name, route: value }] : []))
)
