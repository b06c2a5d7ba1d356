import { defaultTimezone, schedulesPerDevice, schedulesPerUser } from '@batti/contracts'
import type { ScheduleDocument } from './schedule.model.ts'
import type { Actor } from '../../platform/people/actor.ts'
import { invalid, limitReached, notFound } from '../../platform/app-error.ts'
import type { DeviceDirectory } from '../../boards/registry/device-directory.ts'
import { displayName, type LiveDevice } from '../../boards/registry/live-device.ts'
import { isTimeZone } from '../../platform/time-zone.ts'
import type { SchedulesRepository } from './schedules.repository.ts'

export interface ScheduleTargetsOptions {
  schedules: Pick<SchedulesRepository, 'countOfDevice' | 'countOfUser'>
  directory: Pick<DeviceDirectory, 'find'>
  /** The zone that an account is set to. */
  findTimezone(userId: string): Promise<string | null>
  /** Notes at a switch that it has a schedule; false when it does not stand for that outlet any more. */
  countSchedule(target: WantedTarget): Promise<boolean>
}

interface OwnedDevice {
  device: LiveDevice
  ownerId: string
}

interface WantedTarget {
  deviceId: string
  switchId: string
  switchIndex: number
  userId?: string | undefined
}

/** What a schedule may switch, in which zone it is, and whether there is room for one more. */
export function createScheduleTargets(options: ScheduleTargetsOptions) {
  const { schedules, directory, findTimezone } = options

  /** A board that the caller may schedule, and its owner: a user's own; for an admin anybody's. */
  async function ownDevice(actor: Actor, deviceId: string): Promise<OwnedDevice> {
    const device = await directory.find(deviceId)
    const ownerId = device?.userId ?? null
    if (device === null || ownerId === null || (actor.role !== 'admin' && ownerId !== actor.userId)) {
      throw notFound('Device')
    }
    return { device, ownerId }
  }

  return {
    ownDevice,

    /** Board, switch and owner belong together; what is not the caller's answers as what does not exist. */
    async check(actor: Actor, target: WantedTarget): Promise<OwnedDevice> {
      const found = await ownDevice(actor, target.deviceId)
      if (target.userId !== undefined && target.userId !== found.ownerId) {
        throw notFound(actor.role === 'admin' ? 'Device of that user' : 'User')
      }
      const index = found.device.outlets.findIndex(({ switchId }) => switchId === target.switchId)
      if (index === -1) throw notFound('Switch')
      if (index !== target.switchIndex) throw invalid('switchIndex', `must be ${index}, the index of that switch`)
      return found
    },

    /**
     * Said when a schedule is stored: whoever takes its switch away in the same moment is waited for, or takes the
     * schedule along.
     * @throws AppError NOT_FOUND when the switch is gone, or its board has another owner.
     */
    async hold({ deviceId, switchId, switchIndex }: WantedTarget): Promise<void> {
      if (!(await options.countSchedule({ deviceId, switchId, switchIndex }))) throw notFound('Switch')
    },

    /**
     * Before one is added, or after it with its id `made`: of several made at once, the first ones stay.
     * `ownerId` null: nobody has one more.
     * @throws AppError LIMIT_REACHED.
     */
    async checkRoom(device: LiveDevice, ownerId: string | null, made?: ScheduleDocument['_id']): Promise<void> {
      const [ofDevice, ofUser] = await Promise.all([
        schedules.countOfDevice(device.id, made),
        ownerId === null ? 0 : schedules.countOfUser(ownerId, made)
      ])
      if (ofDevice >= schedulesPerDevice)
        throw limitReached(`${displayName(device)} has ${schedulesPerDevice} schedules already. Delete one first.`)
      if (ofUser >= schedulesPerUser)
        throw limitReached(`There are ${schedulesPerUser} schedules already. Delete one first.`)
    },

    /** The board's zone, else its owner's, else Kathmandu's. */
    async zoneOf(device: LiveDevice): Promise<string> {
      if (isTimeZone(device.timezone)) return device.timezone
      const ownZone = device.userId === null ? null : await findTimezone(device.userId)
      return ownZone !== null && isTimeZone(ownZone) ? ownZone : defaultTimezone
    }
  }
}
export type ScheduleTargets = ReturnType<typeof createScheduleTargets>
