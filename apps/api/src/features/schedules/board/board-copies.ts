import type { SchedulesPayload } from '@batti/contracts'
import { afterCommit } from '../../../platform/after-commit.ts'
import { boardTimetable } from './board-timetable.ts'
import type { SchedulesRepository } from '../schedules.repository.ts'

export interface BoardCopiesOptions {
  schedules: Pick<SchedulesRepository, 'findByDevice'>
  /** Increments the revision of a board's schedule list; null when the board is gone. */
  raiseRevision(deviceId: string): Promise<{ rev: number; timezone: string } | null>
  readRevision(deviceId: string): Promise<{ rev: number; timezone: string } | null>
  /** Called when a board's list has changed; `count` is its number of schedules, `rev` the list's revision. */
  onChanged(deviceId: string, list: { count: number; rev: number }): Promise<void>
  /** Returns false when the board cannot be reached now: it gets the list when it is back. */
  pushSchedules(deviceId: string, payload: SchedulesPayload): boolean
}

/** Keeps each board's own copy of its schedules up to date, which the board runs while it cannot reach the server. */
export function createBoardCopies(options: BoardCopiesOptions) {
  const { schedules } = options

  async function push(deviceId: string, current: { rev: number; timezone: string }): Promise<number> {
    // Read after the revision, so that the list contains everything up to that revision.
    const list = await schedules.findByDevice(deviceId)
    const timetable = boardTimetable(list, current.rev, list[0]?.timezone ?? current.timezone)
    afterCommit(() => void options.pushSchedules(deviceId, timetable))
    return list.length
  }

  return {
    /** Sends a board its changed schedules under a new revision. */
    async changed(deviceId: string): Promise<void> {
      const current = await options.raiseRevision(deviceId)
      if (current !== null)
        await options.onChanged(deviceId, { count: await push(deviceId, current), rev: current.rev })
    },
    /** Sends the list again to a board that is back without having confirmed the latest one. */
    async resend(deviceId: string): Promise<void> {
      const current = await options.readRevision(deviceId)
      if (current !== null) await push(deviceId, current)
    }
  }
}
export type BoardCopies = ReturnType<typeof createBoardCopies>
