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
  /** Returns the zone of an account. */
  findTimezone(userId: string): Promise<string | null>
  /** Records a schedule at its switch; returns false if the switch no longer stands for that outlet. */
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

/** Checks what a schedule may switch, determines its zone, and whether another one is allowed. */
export function createScheduleTargets(options: ScheduleTargetsOptions) {
  const { schedules, directory, findTimezone } = options

  /** Returns a board that the caller may schedule, and its owner: a user's own, or any for an admin. */
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

    /** Checks that board, switch and owner belong together. What is not the caller's is answered like what does not exist. */
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
     * Call when storing a schedule: a concurrent removal of its switch then conflicts, and either comes first or removes
     * the schedule as well.
     * @throws AppError NOT_FOUND when the switch is gone, or its board has another owner.
     */
    async hold({ deviceId, switchId, switchIndex }: WantedTarget): Promise<void> {
      if (!(await options.countSchedule({ deviceId, switchId, switchIndex }))) throw notFound('Switch')
    },

    /**
     * Call before adding a schedule, or after it with its id `made`: of several created concurrently, the first ones
     * stay. `ownerId` null: the owner's total does not grow.
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

    /** Returns the board's zone, else its owner's, else Kathmandu's. */
    async zoneOf(device: LiveDevice): Promise<string> {
      if (isTimeZone(device.timezone)) return device.timezone
      const ownZone = device.userId === null ? null : await findTimezone(device.userId)
      return ownZone !== null && isTimeZone(ownZone) ? ownZone : defaultTimezone
    }
  }
}
export type ScheduleTargets = ReturnType<typeof createScheduleTargets>
