import type { DemoChange } from '@batti/contracts'
import { weekdays } from '@batti/contracts/constants'
import { dayMs, minuteMs } from '@batti/kit/durations'
import { demoSchedules } from './demo-plan.ts'

/** A daily period in which a switch is on, in minutes of the local day. Past 1440 it ends the next day. */
interface Habit {
  board: string
  switch: string
  from: number
  to: number
  begins: DemoChange['by']
  ends: DemoChange['by']
  /** Days of the week without it, 0 for Sunday. */
  notOn?: readonly number[]
  /** Speeds that a person selects one after another once it is on. */
  levels?: readonly number[]
  /** The schedule that switches it, to the minute. */
  schedule?: string
}

/** A change with names of the plan instead of ids; `schedule` is the label of the schedule that caused it. */
export interface PlannedChange extends Omit<DemoChange, 'deviceId' | 'switchIndex' | 'scheduleId'> {
  board: string
  switch: string
  schedule?: string
}

const daysLogged = 7
/** The history ends this long before now, ahead of the first real events. */
const endsBeforeMs = 30 * minuteMs
/** Asia/Kathmandu, all year. */
const zoneMs = (5 * 60 + 45) * minuteMs

const at = (text: string): number => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * 60 + minutes
}
const living = 'Living room wall'
const bedroom = 'Bedroom wall'
const kitchen = 'Kitchen ceiling'
const strip = 'Kitchen counter strip'
const saturday = 6

const byHand: readonly Habit[] = [
  { board: kitchen, switch: 'Kitchen lamp', from: at('05:50'), to: at('07:25'), begins: 'button', ends: 'button' },
  { board: kitchen, switch: 'Kitchen lamp', from: at('18:05'), to: at('20:40'), begins: 'button', ends: 'user' },
  { board: strip, switch: 'Rice cooker', from: at('08:20'), to: at('08:55'), begins: 'button', ends: 'button' },
  { board: strip, switch: 'Rice cooker', from: at('19:00'), to: at('19:35'), begins: 'button', ends: 'button' },
  { board: strip, switch: 'Water purifier', from: at('07:00'), to: at('10:30'), begins: 'user', ends: 'user' },
  { board: strip, switch: 'Radio', from: at('07:10'), to: at('08:05'), begins: 'button', ends: 'user' },
  { board: living, switch: 'Ceiling lamp', from: at('17:45'), to: at('22:10'), begins: 'button', ends: 'user' },
  {
    board: living,
    switch: 'Reading lamp',
    from: at('20:30'),
    to: at('22:15'),
    begins: 'user',
    ends: 'user',
    notOn: [saturday]
  },
  {
    board: living,
    switch: 'Picture light',
    from: at('18:30'),
    to: at('21:50'),
    begins: 'user',
    ends: 'user',
    notOn: [1, 3]
  },
  { board: bedroom, switch: 'Bedside lamp', from: at('22:05'), to: at('22:50'), begins: 'button', ends: 'button' },
  {
    board: bedroom,
    switch: 'Phone charger',
    from: at('22:40'),
    to: at('24:00') + at('06:10'),
    begins: 'user',
    ends: 'user'
  },
  { board: bedroom, switch: 'Wardrobe light', from: at('06:40'), to: at('06:52'), begins: 'button', ends: 'button' },
  {
    board: bedroom,
    switch: 'Ceiling fan',
    from: at('13:00'),
    to: at('15:10'),
    begins: 'user',
    ends: 'user',
    levels: [90, 140, 200],
    notOn: [1, 2, 3, 4, 5]
  }
]

const bySchedule: readonly Habit[] = demoSchedules.map(({ label, startTime, endTime, days, ...place }) => {
  const from = at(startTime)
  return {
    ...place,
    from,
    to: at(endTime) + (endTime < startTime ? 1440 : 0),
    begins: 'schedule' as const,
    ends: 'schedule' as const,
    schedule: label,
    ...(days === undefined
      ? {}
      : { notOn: [0, 1, 2, 3, 4, 5, 6].filter((day) => !days.some((on) => on === weekdays[day])) })
  }
})

/** Returns a variation of some 8 minutes at most, always the same for a day, so that a resumed start sends the same history. */
function drift(habit: Habit, day: number, edge: number): number {
  if (habit.schedule !== undefined) return 0
  const seed = (habit.from * 31 + habit.switch.length * 17 + day * 7919 + edge * 104_729) % 1000
  return Math.round((seed / 1000) * 16 - 8) * minuteMs + ((seed * 37) % 60) * 1000
}

/**
 * Returns a week of history before `now`, oldest first. Every switch begins and ends off, like the new boards: a period that
 * would still be on is left out.
 */
export function demoWeek(now: number): PlannedChange[] {
  const today = Math.floor((now + zoneMs) / dayMs)
  const days = Array.from({ length: daysLogged }, (_, ago) => today - ago)
  return days
    .flatMap((day) => [...byHand, ...bySchedule].flatMap((habit) => changesOf(habit, day, now)))
    .toSorted((a, b) => a.at - b.at)
}

function changesOf(habit: Habit, day: number, now: number): PlannedChange[] {
  const { board, switch: name, schedule, levels = [] } = habit
  // 1 January 1970 was a Thursday.
  if (habit.notOn?.includes((day + 4) % 7) === true) return []
  const midnight = day * dayMs - zoneMs
  const from = midnight + habit.from * minuteMs + drift(habit, day, 0)
  const to = midnight + habit.to * minuteMs + drift(habit, day, 1)
  if (to > now - endsBeforeMs) return []
  const place = { board, switch: name, ...(schedule === undefined ? {} : { schedule }) }
  return [
    { ...place, on: true, at: from, by: habit.begins },
    ...levels.map((level, index) => ({ ...place, on: true, level, at: from + (index + 1) * 4000, by: habit.begins })),
    { ...place, on: false, at: to, by: habit.ends }
  ]
}
