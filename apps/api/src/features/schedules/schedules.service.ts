import {
  ruleOf,
  weekdays,
  type PageQuery,
  type ScheduleBody,
  type SchedulePatch,
  type ScheduleRecord
} from '@batti/contracts'
import { isStaff, type Actor } from '../../platform/people/actor.ts'
import { conflict, invalid, notFound, validationError } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import { pageInfo, pageOf } from '../../platform/paging.ts'
import type { DeviceDirectory } from '../../boards/registry/device-directory.ts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import type { BoardCopies } from './board-copies.ts'
import { localTime, nextOccurrences } from './next-run.ts'
import type { OccurrencesRepository } from './occurrences.repository.ts'
import {
  faultsOfTiming,
  neverRuns,
  planSchedule,
  startedRunOf,
  type PlanContext,
  type Timing
} from './plan-schedule.ts'
import type { ScheduleDocument } from './schedule.model.ts'
import type { ScheduleTargets } from './schedule-targets.ts'
import { mayChangeSchedule, maySeeSchedule } from './schedules.policy.ts'
import { presentSchedule } from './schedules.present.ts'
import type { NewSchedule, ScheduleFilter, SchedulesRepository } from './schedules.repository.ts'

export interface SchedulesOptions {
  schedules: SchedulesRepository
  occurrences: Pick<OccurrencesRepository, 'skipOfSchedules' | 'deleteOfSchedules' | 'supersede'>
  targets: ScheduleTargets
  boardCopies: BoardCopies
  directory: DeviceDirectory
  clock: Clock
  /** Names the time zone database of this process. */
  tzVersion: string
  /** Of the whole installation, for the staff's search. */
  findDeviceIdsByName(search: string): Promise<string[]>
  findSwitchIdsByName(search: string): Promise<string[]>
}

type PreviewBody = Omit<ScheduleBody, 'userId' | 'switchId' | 'switchIndex' | 'label'>

const defaultLabel = 'Unnamed Schedule'
const previewedFirings = 5
/** Of a schedule that waits for nothing. */
const idle = { next: null, nextRunAt: null }

/** The rules of schedules: whose they are, when they run, how many there may be. Firing them is the runner's. */
export function createSchedulesService(options: SchedulesOptions) {
  const { schedules, occurrences, targets, boardCopies, directory, clock, tzVersion } = options

  async function present(documents: readonly ScheduleDocument[]): Promise<ScheduleRecord[]> {
    const devices = await directory.findMany([...new Set(documents.map(({ deviceId }) => String(deviceId)))])
    return documents.map((schedule) => presentSchedule(schedule, devices.get(String(schedule.deviceId))))
  }

  async function presentById(id: string): Promise<ScheduleRecord> {
    const schedule = await schedules.findById(id)
    const [record] = schedule === null ? [] : await present([schedule])
    if (record === undefined) throw notFound('Schedule')
    return record
  }

  async function load(actor: Actor, id: string): Promise<ScheduleDocument> {
    const schedule = await schedules.findById(id)
    if (schedule === null || !maySeeSchedule(actor, schedule) || !mayChangeSchedule(actor, schedule)) {
      throw notFound('Schedule')
    }
    return schedule
  }

  async function contextOf(device: LiveDevice, startedRun: string | null): Promise<PlanContext> {
    return { now: clock.now(), zone: await targets.zoneOf(device), startedRun }
  }

  function planOrRefuse(timing: Timing, context: PlanContext) {
    const plan = planSchedule(timing, context)
    const fault = neverRuns(timing, plan, context)
    if (fault !== null) throw validationError([fault])
    return plan
  }

  /** Writes a change of what a schedule is, when it runs, or whether it does. */
  async function change(actor: Actor, before: ScheduleDocument, wanted: ScheduleBody): Promise<ScheduleRecord> {
    const id = String(before._id)
    const { device, ownerId } = await targets.check(actor, wanted)
    const timing = checkedTiming(wanted)
    const movesDevice = device.id !== String(before.deviceId)
    if (movesDevice) await targets.checkRoom(device, ownerId, 0)
    const isActive = wanted.isActive ?? before.isActive
    const newTimes = movesDevice || !isSameTiming(timing, timingOf(before))
    const fields: Partial<NewSchedule> = {
      ...timing,
      label: wanted.label ?? before.label,
      startAction: wanted.startAction,
      endAction: wanted.endAction,
      deviceId: device.id,
      userId: ownerId,
      switchId: wanted.switchId,
      switchIndex: wanted.switchIndex,
      isActive
    }
    if (newTimes || isActive !== before.isActive) {
      const context = await contextOf(device, before.isActive ? startedRunOf(before.next) : null)
      Object.assign(fields, isActive ? planOrRefuse(timing, context) : idle, { tzVersion, timezone: context.zone })
    }
    if (!(await schedules.update(before, fields, newTimes))) {
      // It fired, or somebody else changed it, in between: once more, from what it is now.
      return change(actor, await load(actor, id), wanted)
    }
    if (newTimes || !isActive) {
      const hasFired = await occurrences.supersede(before, new Date(clock.now()))
      if (hasFired && !movesDevice && before.next?.phase === 'start') await oweEnd(id, device, before.next.runDate)
    }
    if (movesDevice) await boardCopies.changed(String(before.deviceId))
    await boardCopies.changed(device.id)
    return presentById(id)
  }

  /** A run began while its times were being changed: its end is owed, at the new time. */
  async function oweEnd(id: string, device: LiveDevice, runDate: string): Promise<void> {
    const changed = await schedules.findById(id)
    if (changed === null || !changed.isActive) return
    const plan = planSchedule(timingOf(changed), await contextOf(device, runDate))
    if (!(await schedules.update(changed, plan, false))) await oweEnd(id, device, runDate)
  }

  return {
    /** GET /schedules: the caller's own for a user; all for staff. */
    async list(actor: Actor, query: PageQuery & { userId?: string | undefined; deviceId?: string | undefined }) {
      const page = pageOf(query)
      const search = query.search?.trim() ?? ''
      const filter: ScheduleFilter = {
        search,
        ...(query.userId === undefined ? {} : { userId: query.userId }),
        ...(query.deviceId === undefined ? {} : { deviceId: query.deviceId }),
        ...(isStaff(actor) ? {} : { userId: actor.userId })
      }
      if (search !== '') Object.assign(filter, await (isStaff(actor) ? allNamed(search) : ownNamed(actor, search)))
      const found = await schedules.list(filter, query.sort, page)
      return { schedules: await present(found.schedules), ...pageInfo(page, found.total) }
    },

    /**
     * POST /schedules. A repeating schedule without an end date never ends; `once` without one means its next start.
     * @throws NOT_FOUND for what is not the caller's, VALIDATION, LIMIT_REACHED at 50 a device and 500 a user.
     */
    async create(actor: Actor, body: ScheduleBody): Promise<ScheduleRecord> {
      const { device, ownerId } = await targets.check(actor, body)
      const timing = checkedTiming(body)
      const isActive = body.isActive ?? true
      const plan = planOrRefuse(timing, await contextOf(device, null))
      await targets.checkRoom(device, ownerId, 0)
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
        await targets.checkRoom(device, ownerId, 1)
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
      const timing = checkedTiming(body)
      const context = await contextOf(device, null)
      const { now: after, zone } = context
      const { runDate } = planOrRefuse(timing, context)
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
      if (patch.label === null || patch.label === '') throw invalid('label', 'is required')
      const { userId: _owner, _id, ...known } = before
      const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
      const repeatDays = patch.repeatDays ?? patch.days ?? before.repeatDays
      const target = { deviceId: String(before.deviceId), switchId: String(before.switchId) }
      // The date of `once` is its day, of the others their last: it means nothing when one becomes the other.
      const isOnce = (repeatType: string): boolean => repeatType === 'once'
      const endDate =
        isOnce(patch.repeatType ?? before.repeatType) === isOnce(before.repeatType) ? before.endDate : null
      return change(actor, before, { ...known, isActive: undefined, endDate, ...target, ...given, repeatDays })
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
      const context = await contextOf(device, null)
      const timing = timingOf(before)
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
    /** Everything a leaving account had. */
    async eraseOfUser(userId: string): Promise<void> {
      const { deviceIds, scheduleIds } = await schedules.deleteWhere({ userId })
      await occurrences.deleteOfSchedules(scheduleIds)
      for (const deviceId of deviceIds) await boardCopies.changed(deviceId)
    }
  }

  async function allNamed(search: string): Promise<Partial<ScheduleFilter>> {
    const [orDeviceIds, orSwitchIds] = await Promise.all([
      options.findDeviceIdsByName(search),
      options.findSwitchIdsByName(search)
    ])
    return { orDeviceIds, orSwitchIds }
  }

  async function ownNamed(actor: Actor, search: string): Promise<Partial<ScheduleFilter>> {
    const matches = (name: string): boolean => name.toLowerCase().includes(search.toLowerCase())
    const devices = await directory.ofUser(actor.userId)
    const outlets = devices.flatMap((device) => device.outlets).filter(({ switchId }) => switchId !== '')
    return {
      orDeviceIds: devices
        .filter(({ deviceName, setName }) => matches(deviceName) || matches(setName))
        .map(({ id }) => id),
      orSwitchIds: outlets.filter(({ name }) => matches(name)).map(({ switchId }) => switchId)
    }
  }
}
export type SchedulesService = ReturnType<typeof createSchedulesService>

type TimingInput = Pick<ScheduleBody, 'startTime' | 'endTime' | 'repeatType' | 'repeatDays' | 'days' | 'endDate'>

/** `repeatDays` or `days`, in the order of the week; only a weekly schedule has any. */
function timingOf({ startTime, endTime, repeatType, repeatDays, days, endDate }: TimingInput): Timing {
  const named = repeatDays ?? days ?? []
  return {
    startTime,
    endTime,
    repeatType,
    repeatDays: repeatType === 'weekly' ? weekdays.filter((day) => named.includes(day)) : [],
    endDate: endDate ?? null
  }
}

/** @throws AppError VALIDATION with one sentence for each fault. */
function checkedTiming(input: TimingInput): Timing {
  const timing = timingOf(input)
  const faults = faultsOfTiming(timing)
  if (faults.length > 0) throw validationError(faults)
  return timing
}

const isSameTiming = (a: Timing, b: Timing): boolean => JSON.stringify(a) === JSON.stringify(b)
const labelOr = (label: string | null | undefined, fallback: string): string =>
  label === undefined || label === null || label === '' ? fallback : label
