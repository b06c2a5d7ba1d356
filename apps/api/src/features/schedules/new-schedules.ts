import { ruleOf, type ScheduleBody, type ScheduleRecord } from '@batti/contracts'
import type { Actor } from '../../platform/people/actor.ts'
import { localTime, nextOccurrences } from './timing/next-run.ts'
import type { ScheduleDocument } from './schedule.model.ts'
import { idle, planOrRefuse, runningOf } from './timing/plan-schedule.ts'
import { checkedTiming } from './timing/schedule-timing.ts'
import { presentSchedule } from './schedules.present.ts'
import type { SchedulesOptions } from './schedules.options.ts'

type PreviewBody = Omit<ScheduleBody, 'userId' | 'switchId' | 'switchIndex' | 'label'> & {
  scheduleId?: string | undefined
}

const defaultLabel = 'Unnamed Schedule'
const previewedFirings = 5

export const labelOf = ({ label }: Pick<ScheduleBody, 'label'>): string =>
  label === undefined || label === null || label === '' ? defaultLabel : label

/** Creates or previews schedules. */
export function createNewSchedules(
  options: Pick<SchedulesOptions, 'schedules' | 'targets' | 'boardCopies' | 'clock' | 'tzVersion' | 'inTransaction'> & {
    load(actor: Actor, id: string): Promise<ScheduleDocument>
  }
) {
  const { schedules, targets, boardCopies, clock, tzVersion, inTransaction, load } = options
  return {
    /**
     * POST /schedules. A repeating schedule without an end date never ends; `once` without one means its next start.
     * @throws NOT_FOUND for a target that is not the caller's, VALIDATION, LIMIT_REACHED at 50 a device and 500 a user.
     */
    async create(actor: Actor, body: ScheduleBody): Promise<ScheduleRecord> {
      const { device, ownerId } = await targets.check(actor, body)
      const zone = await targets.zoneOf(device)
      const timing = checkedTiming(body, zone)
      const isActive = body.isActive ?? true
      const plan = planOrRefuse(timing, { now: clock.now(), zone, startedRun: null })
      await targets.checkRoom(device, ownerId)
      const fields = {
        ...timing,
        ...plan,
        ...(isActive ? {} : idle),
        tzVersion,
        isActive,
        label: labelOf(body),
        startAction: body.startAction,
        endAction: body.endAction,
        switchId: body.switchId,
        switchIndex: body.switchIndex,
        deviceId: device.id,
        userId: ownerId
      }
      // Together, so that no crash leaves a schedule of a board that has been deleted meanwhile.
      const created = await inTransaction(async () => {
        const made = await schedules.insert(fields)
        await targets.hold(body)
        return made
      })
      try {
        await targets.checkRoom(device, ownerId, created._id)
      } catch (error) {
        await schedules.delete(String(created._id))
        throw error
      }
      await boardCopies.changed(device.id)
      return presentSchedule(created, device)
    },

    /** POST /schedules/preview: returns the next five firings of an unsaved schedule. An edit keeps a run that has begun. */
    async preview(actor: Actor, body: PreviewBody) {
      const { device } = await targets.ownDevice(actor, body.deviceId)
      const zone = await targets.zoneOf(device)
      const timing = checkedTiming(body, zone)
      const edited = body.scheduleId === undefined ? null : await load(actor, body.scheduleId)
      const startedRun = runningOf(edited)
      const after = clock.now()
      const { runDate } = planOrRefuse(timing, { now: after, zone, startedRun })
      const rule = ruleOf(timing, runDate)
      const next = rule === null ? [] : nextOccurrences(rule, { after, zone, count: previewedFirings, startedRun })
      return {
        timezone: zone,
        firings: next.map(({ at, phase }) => ({
          at: new Date(at).toISOString(),
          phase,
          action: phase === 'start' ? body.startAction : body.endAction,
          local: localTime(at, zone)
        }))
      }
    }
  }
}
