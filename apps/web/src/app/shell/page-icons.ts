import type { PageName } from '@batti/contracts'
import {
  CalendarClock,
  ChartNoAxesColumn,
  Activity,
  Cpu,
  DoorOpen,
  FileCog,
  Heart,
  House,
  Rocket,
  ScrollText,
  ShieldAlert,
  ShieldCheck,
  ToggleRight,
  UserCog,
  UserRound,
  Users,
  Wrench,
  type LucideIcon
} from 'lucide-react'

/** The icon of each page in menus. */
export const pageIcons: Record<PageName, LucideIcon> = {
  profile: UserRound,
  home: House,
  dashboard: ChartNoAxesColumn,
  devices: Cpu,
  'device-types': Wrench,
  rooms: DoorOpen,
  switches: ToggleRight,
  'favorite-switches': Heart,
  schedules: CalendarClock,
  logs: ScrollText,
  monitors: UserCog,
  users: Users,
  'device-firmware-files': FileCog,
  rollouts: Rocket,
  fleet: Activity,
  'audit-logs': ShieldCheck,
  'unauthorized-logs': ShieldAlert
}
