import {
  mqttPacketMaxBytes,
  ruleOf,
  triggerToWire,
  weekdays,
  type ScheduleEntry,
  type SchedulesPayload,
  type Trigger
} from '@batti/contracts'
import type { Phase } from './next-run.ts'
import type { ScheduleDocument } from './schedule.model.ts'

type BoardSchedule = Pick<
  ScheduleDocument,
  | '_id'
  | 'switchIndex'
  | 'startTime'
  | 'endTime'
  | 'startAction'
  | 'endAction'
  | 'repeatType'
  | 'repeatDays'
  | 'endDate'
  | 'runDate'
  | 'isActive'
  | 'nextRunAt'
>

/** Room for the topic and the packet's header. */
const payloadMaxBytes = mqttPacketMaxBytes - 64

/**
 * The copy of a device's schedules that its board runs when it cannot reach the server: the whole list, two entries a
 * schedule. An end past midnight belongs to the day after.
 * The longest list that a board may have fits one packet; of a longer one the schedules that run last are left out, and
 * the server still runs them.
 */
export function boardTimetable(schedules: readonly BoardSchedule[], rev: number, timezone: string): SchedulesPayload {
  const entries: ScheduleEntry[] = []
  let bytes = JSON.stringify({ rev, timezone, entries }).length
  for (const schedule of schedules.filter(({ isActive }) => isActive).toSorted(byNextRun)) {
    const rule = ruleOf(shortest(schedule), schedule.runDate)
    if (rule === null) continue
    const pair = [entryOf(schedule, 'start', rule.start), entryOf(schedule, 'end', rule.end)]
    // With the comma before it, without its brackets.
    bytes += JSON.stringify(pair).length - 1
    if (bytes > payloadMaxBytes) break
    entries.push(...pair)
  }
  return { rev, timezone, entries }
}

/** Every day of the week is daily, which a board reads in fewer bytes. */
const shortest = (schedule: BoardSchedule): BoardSchedule =>
  schedule.repeatType === 'weekly' && weekdays.every((day) => schedule.repeatDays.includes(day))
    ? { ...schedule, repeatType: 'daily' }
    : schedule

const byNextRun = (a: BoardSchedule, b: BoardSchedule): number =>
  (a.nextRunAt?.getTime() ?? Infinity) - (b.nextRunAt?.getTime() ?? Infinity)

const entryOf = (schedule: BoardSchedule, phase: Phase, trigger: Trigger): ScheduleEntry => ({
  id: `${String(schedule._id)}:${phase}`,
  index: schedule.switchIndex,
  on: (phase === 'start' ? schedule.startAction : schedule.endAction) === 'on',
  ...triggerToWire(trigger)
})
