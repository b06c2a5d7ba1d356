import { reportBacklogMin, type DeviceReport } from '@batti/contracts'
import { minuteMs } from '@batti/kit/durations'
import type { LiveDevice } from '../registry/live-device.ts'
import type { ReportName } from './action-log.model.ts'

/** Reports that were missing when a newer one arrived, or arrived when their rows could not be logged. */
interface Gap {
  bootId: string
  first: number
  /** The report that overtook them, and when it arrived. */
  next: number
  nextAt: number
  /** When the report before them arrived. */
  previousAt: number
}

/** A board may keep more reports than it must, and each of them may leave a gap. */
const gapsMost = 4 * reportBacklogMin

/** How long a late report is dated before the one that overtook it, at most: a board may leave any gap in its numbers. */
const longestMs = minuteMs

/** Returns a time before `nextAt`, one millisecond for each number between the two reports. */
export const timeBefore = (nextAt: number, numbers: number): number => nextAt - Math.min(numbers, longestMs)

/** Remembers which report overtook the missing ones: more may arrive before those do. */
export function createGaps() {
  const boards = new Map<string, Gap[]>()
  const add = (deviceId: string, gap: Gap): void =>
    void boards.set(deviceId, [...(boards.get(deviceId) ?? []), gap].slice(-gapsMost))

  return {
    /** Call before the report is adopted. */
    note(device: Pick<LiveDevice, 'id' | 'bootId' | 'seq' | 'stateAt'>, report: DeviceReport, nextAt: number): void {
      const { bootId, seq: next } = report
      const first = bootId === device.bootId ? device.seq + 1 : 1
      if (next <= first) return
      add(device.id, { bootId, first, next, nextAt, previousAt: device.stateAt })
    },
    /** Remembers when a report arrived whose rows are postponed: it comes again after newer ones. */
    postpone: (deviceId: string, { bootId, seq }: ReportName, at: number): void =>
      add(deviceId, { bootId, first: seq, next: seq + 1, nextAt: at + 1, previousAt: at }),
    /** Returns a time between the two reports around a missing one, in the order of their numbers; undefined where unknown. */
    timeOf(deviceId: string, { bootId, seq }: ReportName): number | undefined {
      const gap = boards.get(deviceId)?.find((each) => each.bootId === bootId && each.first <= seq && seq < each.next)
      return gap === undefined ? undefined : Math.max(gap.previousAt, timeBefore(gap.nextAt, gap.next - seq))
    },
    forget: (deviceId: string): void => void boards.delete(deviceId)
  }
}
