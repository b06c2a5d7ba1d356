import type { ScheduleBody, ScheduleRecord } from '@batti/contracts'
import type { Actor } from '../../platform/people/actor.ts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import { idle, planOrRefuse, planSchedule, runningOf } from './timing/plan-schedule.ts'
import { checkedTiming, isSameTiming, timingOf } from './timing/schedule-timing.ts'
import type { ScheduleDocument } from './schedule.model.ts'
import type { NewSchedule } from './schedules.repository.ts'
import type { SchedulesOptions } from './schedules.options.ts'

type ChangeOptions = Omit<SchedulesOptions, 'findDeviceIdsByName' | 'findSwitchIdsByName' | 'directory'> & {
  load(actor: Actor, id: string): Promise<ScheduleDocument>
  presentById(id: string): Promise<ScheduleRecord>
}

export type ComputeWanted = (before: ScheduleDocument) => ScheduleBody

/** Changes what a schedule switches, when it runs, or whether it is active. */
export function createChangeSchedule(options: ChangeOptions) {
  const { schedules, occurrences, targets, boardCopies, clock, tzVersion, load, presentById } = options

  /** `computeWanted` gets the current schedule. */
  async function change(actor: Actor, before: ScheduleDocument, computeWanted: ComputeWanted): Promise<ScheduleRecord> {
    const id = String(before._id)
    const wanted = computeWanted(before)
    const { device, ownerId } = await targets.check(actor, wanted)
    const zone = await targets.zoneOf(device)
    const timing = checkedTiming(wanted, zone)
    const movesDevice = device.id !== String(before.deviceId)
    const movesSwitch = movesDevice || wanted.switchId !== String(before.switchId)
    const newOwnerId = ownerId === String(before.userId) ? null : ownerId
    if (movesDevice) await targets.checkRoom(device, newOwnerId)
    const isActive = wanted.isActive ?? before.isActive
    const newTimes = movesDevice || !isSameTiming(timing, timingOf(before, zone))
    // Unchanged fields are not written, because somebody else may be changing them.
    const fields: Partial<NewSchedule> = {
      ...timing,
      ...differing(before, {
        label: wanted.label ?? before.label,
        startAction: wanted.startAction,
        endAction: wanted.endAction,
        deviceId: device.id,
        userId: ownerId,
        switchId: wanted.switchId,
        switchIndex: wanted.switchIndex,
        isActive
      })
    }
    if (newTimes || isActive !== before.isActive) {
      const context = { now: clock.now(), zone, startedRun: runningOf(before) }
      Object.assign(fields, isActive ? planOrRefuse(timing, context) : idle, { tzVersion, timezone: zone })
    }
    if (!(await schedules.update(before, fields, newTimes))) {
      // The schedule fired or was changed meanwhile: retry with its current state.
      return change(actor, await load(actor, id), computeWanted)
    }
    if (movesSwitch) await targets.hold(wanted)
    if (newTimes || !isActive) {
      const hasFired = await occurrences.supersede(before, new Date(clock.now()))
      if (hasFired && !movesDevice && before.next?.phase === 'start') await keepEndDue(id, device, before.next.runDate)
    }
    // What waits for the broker must not switch a board that the schedule no longer concerns.
    if (movesSwitch || !isActive) await occurrences.skipOfSchedules([id], 'the schedule was changed')
    if (movesDevice) await boardCopies.changed(String(before.deviceId))
    await boardCopies.changed(device.id)
    return presentById(id)
  }

  /** A run began while its times were being changed, so its end is still due, at the new time. */
  async function keepEndDue(id: string, device: LiveDevice, runDate: string): Promise<void> {
    const changed = await schedules.findById(id)
    if (changed === null || !changed.isActive) return
    const context = { now: clock.now(), zone: await targets.zoneOf(device), startedRun: runDate }
    const plan = planSchedule(timingOf(changed, context.zone), context)
    if (!(await schedules.update(changed, plan, false))) await keepEndDue(id, device, runDate)
  }

  return change
}

/** Returns the fields that really change. */
function differing(before: ScheduleDocument, wanted: Partial<NewSchedule>): Partial<NewSchedule> {
  const now: Record<string, unknown> = { ...before }
  const isOther = ([name, value]: [string, unknown]) => String(now[name]) !== String(value)
  return Object.fromEntries(Object.entries(wanted).filter(isOther))
}
