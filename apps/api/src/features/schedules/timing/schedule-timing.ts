import { lastDate, weekdays, type FieldFault, type ScheduleBody, type Weekday } from '@batti/contracts'
import { validationError } from '../../../platform/app-error.ts'
import { localDate } from './next-run.ts'
import { faultsOfTiming, type Timing } from './plan-schedule.ts'

type TimingInput = Pick<ScheduleBody, 'startTime' | 'endTime' | 'repeatType' | 'repeatDays' | 'days' | 'endDate'>

/**
 * Normalizes times: `repeatDays` or `days` in the order of the week, for weekly schedules only. An end date sent as an
 * instant becomes its date in the zone.
 */
export function timingOf(input: TimingInput, zone: string): Timing {
  const { startTime, endTime, repeatType, repeatDays, days, endDate = null } = input
  const named = repeatDays ?? days ?? []
  return {
    startTime,
    endTime,
    repeatType,
    repeatDays: repeatType === 'weekly' ? weekdays.filter((day) => named.includes(day)) : [],
    endDate: endDate?.includes('T') === true ? dateIn(endDate, zone) : endDate
  }
}

/** The last instant of the year 9999, with which programs mean "for ever", is in the next year in the east. */
function dateIn(instant: string, zone: string): string {
  const date = localDate(Date.parse(instant), zone)
  return date.startsWith('+') ? lastDate : date
}

/** @throws AppError VALIDATION with one sentence per fault. */
export function checkedTiming(input: TimingInput, zone: string): Timing {
  const timing = timingOf(input, zone)
  const faults = [...differingDays(input), ...faultsOfTiming(timing)]
  if (faults.length > 0) throw validationError(faults)
  return timing
}

/** Both names mean the same list: if they differ, it is unclear which was meant. */
function differingDays({ days, repeatDays }: TimingInput): FieldFault[] {
  const isSame = (day: Weekday): boolean => days?.includes(day) === repeatDays?.includes(day)
  if (!days || !repeatDays || weekdays.every(isSame)) return []
  return [{ path: 'days', message: 'The days and repeatDays differ. Send one of the two.' }]
}

export const isSameTiming = (a: Timing, b: Timing): boolean => JSON.stringify(a) === JSON.stringify(b)
