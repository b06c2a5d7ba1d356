import {
  staffDashboard,
  type MonitorPermission,
  type RoomRecord,
  type SwitchRecord,
  type userDashboard
} from '@batti/contracts'
import type { z } from 'zod'
import { isStaff, staffMay, type Actor } from '../../platform/people/actor.ts'
import type { DeviceDirectory } from '../../boards/registry/device-directory.ts'
import { tallySwitches } from './tally-switches.ts'

type StaffDashboard = z.infer<typeof staffDashboard>
export type InstallationTotal = keyof StaffDashboard

export interface OverviewOptions {
  directory: Pick<DeviceDirectory, 'ofUser'>
  listFavorites(actor: Actor, limit?: number): Promise<{ switches: SwitchRecord[]; total: number }>
  listRooms(actor: Actor, limit?: number): Promise<RoomRecord[]>
  countRoomsOf(userId: string): Promise<number>
  countSchedulesOf(userId: string): Promise<number>
  /** Totals of the whole installation. */
  totals: Record<InstallationTotal, () => Promise<number>>
  countSwitchesOn(): Promise<number>
}

/** The permission that a monitor needs for a total; null for admins only. */
const permissionFor: Record<InstallationTotal, MonitorPermission | null> = {
  totalUsers: 'view users',
  totalMonitors: null,
  totalDeviceTypes: 'view devices',
  unauthorizedLogs: null,
  totalDevices: 'view devices',
  onlineDevices: 'view devices',
  totalSwitches: 'view switches',
  favoriteSwitches: 'view switches',
  totalRooms: 'view devices',
  totalSchedules: 'view schedules',
  switchActionHistory: 'view logs'
}

const installationTotals = staffDashboard.keyof().options

/** How many favourites and rooms of other people an admin's home page shows. */
const staffHomeRows = 24

/** The first screens of each role: what is on, and how much there is. A user's figures cover only their own boards. */
export function createOverviewService(options: OverviewOptions) {
  const { directory, totals } = options

  function mayCount(actor: Actor, total: InstallationTotal): boolean {
    const permission = permissionFor[total]
    return permission === null ? actor.role === 'admin' : staffMay(actor, permission)
  }

  async function staffHome(actor: Actor) {
    const seesSwitches = staffMay(actor, 'view switches')
    const [favorites, rooms, totalSwitches, totalOnSwitches] = await Promise.all([
      seesSwitches ? options.listFavorites(actor, staffHomeRows) : { switches: [] },
      staffMay(actor, 'view devices') ? options.listRooms(actor, staffHomeRows) : [],
      seesSwitches ? totals.totalSwitches() : 0,
      seesSwitches ? options.countSwitchesOn() : 0
    ])
    return { favoriteSwitches: favorites.switches, rooms, totalSwitches, totalOnSwitches }
  }

  async function staffTotals(actor: Actor): Promise<StaffDashboard> {
    const visible = installationTotals.filter((total) => mayCount(actor, total))
    const counted = await Promise.all(visible.map(async (total) => [total, await totals[total]()] as const))
    return Object.fromEntries(counted)
  }

  return {
    /** GET /home. Staff see the whole installation, a monitor according to its permissions. */
    async home(actor: Actor) {
      if (isStaff(actor)) return staffHome(actor)
      // Awaited first, so that the other calls find the boards in memory instead of reading them again.
      const devices = await directory.ofUser(actor.userId)
      const [favorites, rooms] = await Promise.all([options.listFavorites(actor), options.listRooms(actor)])
      const { total, on } = tallySwitches(devices)
      return { favoriteSwitches: favorites.switches, rooms, totalSwitches: total, totalOnSwitches: on }
    },

    /** GET /dashboard. */
    async dashboard(actor: Actor): Promise<z.infer<typeof userDashboard> | StaffDashboard> {
      if (isStaff(actor)) return staffTotals(actor)
      const devices = await directory.ofUser(actor.userId)
      const [favorites, totalRooms, totalSchedules] = await Promise.all([
        options.listFavorites(actor),
        options.countRoomsOf(actor.userId),
        options.countSchedulesOf(actor.userId)
      ])
      const { total, on } = tallySwitches(devices)
      return {
        totalDevices: devices.length,
        onlineDevices: devices.filter(({ isOnline }) => isOnline).length,
        totalSwitches: total,
        favoriteSwitches: favorites.total,
        totalRooms,
        totalSchedules,
        switchState: { on, off: total - on },
        favoriteSwitchesDetails: favorites.switches
      }
    }
  }
}
export type OverviewService = ReturnType<typeof createOverviewService>
