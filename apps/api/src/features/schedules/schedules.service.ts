import { ruleOf, type ScheduleBody, type SchedulePatch, type ScheduleRecord } from '@batti/contracts'
import type { Actor } from '../../platform/people/actor.ts'
import { conflict, invalid, notFound } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import type { DeviceDirectory } from '../../boards/registry/device-directory.ts'
import type { RunInTransaction } from '../../platform/store/transactions.ts'
import type { BoardCopies } from './board-copies.ts'
import { createChangeSchedule } from './change-schedule.ts'
import { createScheduleLists } from './list-schedules.ts'
import { localTime, nextOccurrences } from './next-run.ts'
import type { OccurrencesRepository } from './occurrences.repository.ts'
import { idle, neverRuns, planOrRefuse, planSchedule } from './plan-schedule.ts'
import type { ScheduleDocument } from './schedule.model.ts'
import type { ScheduleTargets } from './schedule-targets.ts'
import { checkedTiming, timingOf } from './schedule-timing.ts'
import { mayChangeSchedule, maySeeSchedule } from './schedules.policy.ts'
import { presentSchedule } from './schedules.present.ts'
import type { SchedulesRepository } from './schedules.repository.ts'

export interface SchedulesOptions {
  schedules: SchedulesRepository
  occurrences: Pick<OccurrencesRepository, 'skipOfSchedules' | 'deleteOfSchedules' | 'supersede'>
  targets: ScheduleTargets
  boardCopies: BoardCopies
  directory: DeviceDirectory
  clock: Clock
  inTransaction: RunInTransaction
  /** Names the time zone database of this process. */
  tzVersion: string
  /** Of the whole installation, for the staff's search. */
  findDeviceIdsByName(search: string): Promise<string[] | null>
  findSwitchIdsByName(search: string): Promise<string[] | null>
}

type PreviewBody = Omit<ScheduleBody, 'userId' | 'switchId' | 'switchIndex' | 'label'>

const defaultLabel = 'Unnamed Schedule'
const previewedFirings = 5

/** The rules of schedules: whose they are, when they run, how many there may be. Firing them is the runner's. */
export function createSchedulesService(options: SchedulesOptions) {
  const { schedules, occurrences, targets, boardCopies, directory, clock, tzVersion } = options
  const lists = createScheduleLists(options)
  const { presentById } = lists
  const change = createChangeSchedule({ ...options, load, presentById })

  async function load(actor: Actor, id: string): Promise<ScheduleDocument> {
    const schedule = await schedules.findById(id)
    if (schedule === null || !maySeeSchedule(actor, schedule) || !mayChangeSchedule(actor, schedule)) {
      throw notFound('Schedule')
    }
    return schedule
  }

  async function patched(actor: Actor, before: ScheduleDocument, patch: SchedulePatch): Promise<ScheduleRecord> {
    if (patch.label === null || patch.label === '') throw invalid('label', 'is required')
    const { userId: _owner, _id, ...known } = before
    const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
    const repeatDays = patch.repeatDays ?? patch.days ?? before.repeatDays
    const target = { deviceId: String(before.deviceId), switchId: String(before.switchId) }
    // The date of `once` is its day, of the others their last: it means nothing when one becomes the other.
    const isOnce = (repeatType: string): boolean => repeatType === 'once'
    const endDate = isOnce(patch.repeatType ?? before.repeatType) === isOnce(before.repeatType) ? before.endDate : null
    return change(actor, before, { ...known, isActive: undefined, endDate, ...target, ...given, repeatDays })
  }

  return {
    list: lists.list,

    /**
     * POST /schedules. A repeating schedule without an end date never ends; `once` without one means its next start.
     * @throws NOT_FOUND for what is not the caller's, VALIDATION, LIMIT_REACHED at 50 a device and 500 a user.
     */
    async create(actor: Actor, body: ScheduleBody): Promise<ScheduleRecord> {
      const { device, ownerId } = await targets.check(actor, body)
      const zone = await targets.zoneOf(device)
      const timing = checkedTiming(body, zone)
      const isActive = body.isActive ?? true
      const plan = planOrRefuse(timing, { now: clock.now(), zone, startedRun: null })
      await targets.checkRoom(device, ownerId)
      const created = await schedules.insert({
        ...timing,
        ...plan,
        ...(isActive ? {} : idle),
        tzVersion,
        isActive,
        label: labelOr(body.label, defaultLabel),
        startAction: body.startAction,
        endAction: body.endAction,
        switchId: body.switchId,
        switchIndex: body.switchIndex,
        deviceId: device.id,
        userId: ownerId
      })
      try {
        await targets.hold(body)
        await targets.checkRoom(device, ownerId, created._id)
      } catch (error) {
        await schedules.delete(String(created._id))
        throw error
      }
      await boardCopies.changed(device.id)
      return presentSchedule(created, device)
    },

    /** POST /schedules/preview: the next five firings of a schedule that is not saved yet. */
    async preview(actor: Actor, body: PreviewBody) {
      const { device } = await targets.ownDevice(actor, body.deviceId)
      const zone = await targets.zoneOf(device)
      const timing = checkedTiming(body, zone)
      const after = clock.now()
      const { runDate } = planOrRefuse(timing, { now: after, zone, startedRun: null })
      const rule = ruleOf(timing, runDate)
      const next = rule === null ? [] : nextOccurrences(rule, { after, zone, count: previewedFirings })
      return {
        timezone: zone,
        firings: next.map(({ at, phase }) => ({
          at: new Date(at).toISOString(),
          phase,
          action: phase === 'start' ? body.startAction : body.endAction,
          local: localTime(at, zone)
        }))
      }
    },

    /** PATCH /schedules/{id}: what is not sent stays. A run that has begun keeps its end, at the new time. */
    async update(actor: Actor, id: string, patch: SchedulePatch): Promise<ScheduleRecord> {
      const before = await load(actor, id)
      const { deviceId = String(before.deviceId), switchId = String(before.switchId) } = patch
      if (deviceId === String(before.deviceId) && switchId === String(before.switchId))
        return patched(actor, before, patch)
      // Two that come to one board at once both count its list up: the second is made to look again.
      return options.inTransaction(async () => patched(actor, await load(actor, id), patch))
    },

    /** PUT /schedules/{id}, the admin's form. */
    async replace(actor: Actor, id: string, body: ScheduleBody): Promise<ScheduleRecord> {
      return change(actor, await load(actor, id), body)
    },

    /** PATCH /schedules/toggle/{id}. @throws CONFLICT when there is nothing left to run. */
    async toggle(actor: Actor, id: string): Promise<ScheduleRecord> {
      const before = await load(actor, id)
      const device = await directory.find(String(before.deviceId))
      if (device === null) throw notFound('Schedule')
      const isActive = !before.isActive
      const context = { now: clock.now(), zone: await targets.zoneOf(device), startedRun: null }
      const timing = timingOf(before, context.zone)
      const plan = planSchedule(timing, context)
      if (isActive && neverRuns(timing, plan, context) !== null) {
        throw conflict('The end date has passed. Choose a later one to set the schedule active.')
      }
      const fields = isActive ? { ...plan, tzVersion, isActive } : { ...idle, isActive }
      if (!(await schedules.update(before, fields, false))) return this.toggle(actor, id)
      if (!isActive) await occurrences.supersede(before, new Date(clock.now()))
      await boardCopies.changed(device.id)
      return presentById(id)
    },

    async remove(actor: Actor, id: string): Promise<void> {
      const schedule = await load(actor, id)
      if (!(await schedules.delete(id))) throw notFound('Schedule')
      await occurrences.skipOfSchedules([id])
      await boardCopies.changed(String(schedule.deviceId))
    },

    count: schedules.count,
    countOfUser: schedules.countOfUser,
    countByUser: schedules.countByUser,

    /** A board or a switch is gone, or has another owner: nothing of theirs fires any more. */
    async deleteOf(what: { deviceId: string } | { switchId: string }): Promise<void> {
      const { deviceIds, scheduleIds } = await schedules.deleteWhere(what)
      await occurrences.skipOfSchedules(scheduleIds)
      for (const deviceId of deviceIds) await boardCopies.changed(deviceId)
    },
    /** Its schedules, and the board's copy of them, are for its new outlet. */
    async followSwitch({ switchId, deviceId, index }: { switchId: string; deviceId: string; index: number }) {
      if (await schedules.setIndexOf(switchId, index)) await boardCopies.changed(deviceId)
    },
    /** Everything a leaving account had. */
    async eraseOfUser(userId: string): Promise<void> {
      const { deviceIds, scheduleIds } = await schedules.deleteWhere({ userId })
      await occurrences.deleteOfSchedules(scheduleIds)
      for (const deviceId of deviceIds) await boardCopies.changed(deviceId)
    }
  }
}
export type SchedulesService = ReturnType<typeof createSchedulesService>

const labelOr = (label: string | null | undefined, fallback: string): string =>
  label === undefined || label === null || label === '' ? fallback : label
