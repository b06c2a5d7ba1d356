import { z } from 'zod'
import { roomRecord } from './rooms.ts'
import { account, route } from './route.ts'
import { switchRecord } from './switches.ts'

export const homeOverview = z.object({
  favoriteSwitches: z.array(switchRecord),
  rooms: z.array(roomRecord),
  totalSwitches: z.int(),
  totalOnSwitches: z.int()
})
export const userDashboard = z.object({
  totalDevices: z.int(),
  onlineDevices: z.int(),
  totalSwitches: z.int(),
  favoriteSwitches: z.int(),
  totalRooms: z.int(),
  totalSchedules: z.int(),
  switchState: z.object({ on: z.int(), off: z.int() }),
  favoriteSwitchesDetails: z.array(switchRecord)
})
/** Totals of the whole installation; a monitor gets those that its permissions allow. */
export const staffDashboard = z
  .object({
    totalUsers: z.int(),
    totalMonitors: z.int(),
    totalDeviceTypes: z.int(),
    unauthorizedLogs: z.int(),
    totalDevices: z.int(),
    onlineDevices: z.int(),
    totalSwitches: z.int(),
    favoriteSwitches: z.int(),
    totalRooms: z.int(),
    totalSchedules: z.int(),
    switchActionHistory: z.int()
  })
  .partial()

export const getHome = route({
  method: 'get',
  path: '/home',
  summary: 'Favourites, rooms, and how many switches are on',
  access: account,
  answer: homeOverview
})
export const getDashboard = route({
  method: 'get',
  path: '/dashboard',
  summary: "Totals: the caller's own for a user, the installation's for staff",
  access: account,
  answer: z.union([userDashboard, staffDashboard])
})
