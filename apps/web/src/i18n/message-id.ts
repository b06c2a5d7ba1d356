import type { messages as accounts } from './en/accounts.ts'
import type { messages as audit } from './en/audit.ts'
import type { messages as board } from './en/board.ts'
import type { messages as colours } from './en/colours.ts'
import type { messages as common } from './en/common.ts'
import type { messages as dashboard } from './en/dashboard.ts'
import type { messages as deviceDetails } from './en/device-details.ts'
import type { messages as devices } from './en/devices.ts'
import type { messages as find } from './en/find.ts'
import type { messages as firmware } from './en/firmware.ts'
import type { messages as first } from './en/first.ts'
import type { messages as fleet } from './en/fleet.ts'
import type { messages as health } from './en/health.ts'
import type { messages as fleetPage } from './en/fleet-page.ts'
import type { messages as home } from './en/home.ts'
import type { messages as landing } from './en/landing.ts'
import type { messages as legal } from './en/legal.ts'
import type { messages as logs } from './en/logs.ts'
import type { messages as onTimes } from './en/on-times.ts'
import type { messages as pairing } from './en/pairing.ts'
import type { messages as rollouts } from './en/rollouts.ts'
import type { messages as roomChanges } from './en/room-changes.ts'
import type { messages as rooms } from './en/rooms.ts'
import type { messages as rules } from './en/rules.ts'
import type { messages as scheduleList } from './en/schedule-list.ts'
import type { messages as schedules } from './en/schedules.ts'
import type { messages as profile } from './en/profile.ts'
import type { messages as records } from './en/records.ts'
import type { messages as recovery } from './en/recovery.ts'
import type { messages as reference } from './en/reference.ts'
import type { messages as shell } from './en/shell.ts'
import type { messages as staff } from './en/staff.ts'
import type { messages as support } from './en/support.ts'
import type { messages as switches } from './en/switches.ts'
import type { messages as table } from './en/table.ts'
import type { messages as userPage } from './en/user-page.ts'
import type { messages as users } from './en/users.ts'

// To add an area: create its two catalogues, add a line here, and add its name to the `texts` of the screens that use it.
interface Areas {
  accounts: typeof accounts
  audit: typeof audit
  board: typeof board
  colours: typeof colours
  common: typeof common
  dashboard: typeof dashboard
  'device-details': typeof deviceDetails
  devices: typeof devices
  find: typeof find
  firmware: typeof firmware
  fleet: typeof fleet
  'fleet-page': typeof fleetPage
  health: typeof health
  home: typeof home
  landing: typeof landing
  legal: typeof legal
  logs: typeof logs
  'on-times': typeof onTimes
  pairing: typeof pairing
  rollouts: typeof rollouts
  'room-changes': typeof roomChanges
  rooms: typeof rooms
  rules: typeof rules
  'schedule-list': typeof scheduleList
  schedules: typeof schedules
  profile: typeof profile
  records: typeof records
  recovery: typeof recovery
  reference: typeof reference
  shell: typeof shell
  staff: typeof staff
  support: typeof support
  switches: typeof switches
  table: typeof table
  'user-page': typeof userPage
  users: typeof users
}

export type Area = keyof Areas
/** The ids of all texts. English is the source: an unknown id does not compile. */
export type MessageId = { [A in Area]: keyof Areas[A] }[Area] | keyof typeof first
