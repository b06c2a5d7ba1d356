import type { SchedulesPayload } from '@batti/contracts'
import { afterCommit } from '../../platform/after-commit.ts'
import { boardTimetable } from './board-timetable.ts'
import type { SchedulesRepository } from './schedules.repository.ts'

export interface BoardCopiesOptions {
  schedules: Pick<SchedulesRepository, 'findByDevice'>
  /** Counts a board's list of schedules up; null when the board is gone. */
  raiseRevision(deviceId: string): Promise<{ rev: number; timezone: string } | null>
  readRevision(deviceId: string): Promise<{ rev: number; timezone: string } | null>
  /** A board has another list from now on, of so many schedules. */
  onChanged(deviceId: string, count: number): void
  /** False when the board cannot be reached now: it gets the list when it is back. */
  pushSchedules(deviceId: string, payload: SchedulesPayload): boolean
}

/** Keeps each board's own copy of its schedules up to date; the board runs it when it cannot reach the server. */
export function createBoardCopies(options: BoardCopiesOptions) {
  const { schedules } = options

  async function push(deviceId: string, current: { rev: number; timezone: string } | null): Promise<number | null> {
    if (current === null) return null
    // Read after the revision: what this revision promises is in the list.
    const list = await schedules.findByDevice(deviceId)
    const timetable = boardTimetable(list, current.rev, list[0]?.timezone ?? current.timezone)
    afterCommit(() => void options.pushSchedules(deviceId, timetable))
    return list.length
  }

  return {
    /** The schedules of a board have changed: its copy has a new revision, and is on its way. */
    async changed(deviceId: string): Promise<void> {
      const count = await push(deviceId, await options.raiseRevision(deviceId))
      if (count !== null) options.onChanged(deviceId, count)
    },
    /** A board that is back has not confirmed its latest list. */
    async resend(deviceId: string): Promise<void> {
      await push(deviceId, await options.readRevision(deviceId))
    }
  }
}
export type BoardCopies = ReturnType<typeof createBoardCopies>
