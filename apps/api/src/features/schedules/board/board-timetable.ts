import {
  mqttPacketMaxBytes,
  ruleOf,
  triggerToWire,
  weekdays,
  type ScheduleEntry,
  type SchedulesPayload,
  type Trigger
} from '@batti/contracts'
import type { Phase } from '../timing/next-run.ts'
import type { ScheduleDocument } from '../schedule.model.ts'

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

/** Leaves room for the topic and the packet's header. */
const payloadMaxBytes = mqttPacketMaxBytes - 64

/**
 * Builds the copy of a device's schedules that its board runs while it cannot reach the server: the whole list, with two
 * entries per schedule. An end past midnight belongs to the next day.
 * The longest regular list fits one packet. From a longer one, the schedules that run last are left out; the server still
 * runs them.
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

/** All days of the week are sent as daily, which takes fewer bytes. */
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
