import { weekdays, type ScheduleBody } from '@batti/contracts'
import { validationError } from '../../platform/app-error.ts'
import { localDate } from './next-run.ts'
import { faultsOfTiming, type Timing } from './plan-schedule.ts'

type TimingInput = Pick<ScheduleBody, 'startTime' | 'endTime' | 'repeatType' | 'repeatDays' | 'days' | 'endDate'>

/**
 * `repeatDays` or `days`, in the order of the week; only a weekly schedule has any. An end date that was sent as an
 * instant is the day that it is there.
 */
export function timingOf(input: TimingInput, zone: string): Timing {
  const { startTime, endTime, repeatType, repeatDays, days, endDate = null } = input
  const named = repeatDays ?? days ?? []
  return {
    startTime,
    endTime,
    repeatType,
    repeatDays: repeatType === 'weekly' ? weekdays.filter((day) => named.includes(day)) : [],
    endDate: endDate?.includes('T') === true ? localDate(Date.parse(endDate), zone) : endDate
  }
}

/** @throws AppError VALIDATION with one sentence for each fault. */
export function checkedTiming(input: TimingInput, zone: string): Timing {
  const timing = timingOf(input, zone)
  const faults = faultsOfTiming(timing)
  if (faults.length > 0) throw validationError(faults)
  return timing
}

export const isSameTiming = (a: Timing, b: Timing): boolean => JSON.stringify(a) === JSON.stringify(b)
