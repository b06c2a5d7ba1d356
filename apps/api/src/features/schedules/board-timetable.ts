import { mqttPacketMaxBytes, weekdays, type ScheduleEntry, type SchedulesPayload, type Weekday } from '@batti/contracts'
import { Temporal } from 'temporal-polyfill'
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
const payloadMaxBytes = mqttPacketMaxBytes - 512

/**
 * The copy of a device's schedules that its board runs when it cannot reach the server: the whole list, two entries a
 * schedule. An end past midnight belongs to the day after. Source: wire §3, `schedules`.
 * Where the list does not fit one packet, the schedules that run last are left out: the server still runs them.
 */
export function boardTimetable(schedules: readonly BoardSchedule[], rev: number, timezone: string): SchedulesPayload {
  const entries: ScheduleEntry[] = []
  let bytes = 128
  for (const schedule of schedules.filter(({ isActive }) => isActive).toSorted(byNextRun)) {
    const pair = [entryOf(schedule, 'start'), entryOf(schedule, 'end')]
    bytes += JSON.stringify(pair).length
    if (bytes > payloadMaxBytes) break
    entries.push(...pair)
  }
  return { rev, timezone, entries }
}

const byNextRun = (a: BoardSchedule, b: BoardSchedule): number =>
  (a.nextRunAt?.getTime() ?? Infinity) - (b.nextRunAt?.getTime() ?? Infinity)

function entryOf(schedule: BoardSchedule, phase: Phase): ScheduleEntry {
  const { startTime, endTime, repeatType, repeatDays, endDate, runDate } = schedule
  const isStart = phase === 'start'
  const isNextDay = !isStart && endTime <= startTime
  const dayOf = (date: string): string => (isNextDay ? Temporal.PlainDate.from(date).add({ days: 1 }).toString() : date)
  const entry: ScheduleEntry = {
    id: `${String(schedule._id)}:${phase}`,
    index: schedule.switchIndex,
    on: (isStart ? schedule.startAction : schedule.endAction) === 'on',
    time: isStart ? startTime : endTime,
    repeat: repeatType
  }
  if (repeatType === 'weekly') entry.days = isNextDay ? repeatDays.map(dayAfter) : [...repeatDays]
  if (repeatType === 'once' && runDate !== null) entry.date = dayOf(runDate)
  if (repeatType !== 'once' && endDate !== null) entry.endDate = dayOf(endDate)
  return entry
}

const dayAfter = (day: Weekday): Weekday => weekdays[(weekdays.indexOf(day) + 1) % 7] ?? day
