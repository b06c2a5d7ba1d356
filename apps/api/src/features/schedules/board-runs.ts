import { addDays } from '@batti/contracts'
import type { DomainEvents } from '../../platform/events.ts'
import type { Clock } from '@batti/kit/clock'
import { missedLogId } from './missed-notices.ts'
import { localDate, type Phase } from './next-run.ts'
import { occurrenceRow, type OccurrencesRepository } from './occurrences.repository.ts'
import type { ScheduleDocument } from './schedule.model.ts'
import type { SchedulesRepository } from './schedules.repository.ts'

export interface BoardRunsOptions {
  schedules: Pick<SchedulesRepository, 'findById'>
  occurrences: Pick<OccurrencesRepository, 'claim' | 'findBetween' | 'confirmByBoard'>
  removeLogs(ids: readonly string[]): Promise<void>
  clock: Clock
}

/** How far a board's clock may be off when it runs a schedule by itself. */
const driftMs = 15 * 60_000

/**
 * Handles what boards ran by themselves while they were cut off. Their report has logged the change; here the occurrence is
 * marked as done, so that it is neither logged as missed nor fired again.
 */
export function createBoardRuns({ schedules, occurrences, removeLogs, clock }: BoardRunsOptions) {
  async function closestRow(schedule: ScheduleDocument, phase: Phase, occurredAt: number) {
    const day = localDate(occurredAt, schedule.timezone)
    const dates = { first: addDays(day, -1), last: addDays(day, 1) }
    const rows = await occurrences.findBetween(String(schedule._id), phase, dates)
    const away = (row: { dueAt: Date }): number => Math.abs(row.dueAt.getTime() - occurredAt)
    return rows.filter((row) => away(row) <= driftMs).toSorted((a, b) => away(a) - away(b))[0] ?? null
  }

  /** `entryId` is `<scheduleId>:<phase>`, as sent to the board. A board cannot report schedules of another board. */
  return async function noteBoardRun(run: DomainEvents['schedule-reported']): Promise<void> {
    const [scheduleId = '', phase] = run.entryId.split(':')
    if (!/^[0-9a-f]{24}$/.test(scheduleId) || (phase !== 'start' && phase !== 'end')) return
    const schedule = await schedules.findById(scheduleId)
    if (schedule === null || String(schedule.deviceId) !== run.deviceId) return
    const row = await closestRow(schedule, phase, run.occurredAt)
    if (row !== null) {
      const was = await occurrences.confirmByBoard(row._id, new Date(run.occurredAt))
      if (was === 'missed') await removeLogs([missedLogId(row._id)])
      return
    }
    // The server has not fired it yet: insert its row before the runner does.
    const { next } = schedule
    if (next === null || next.phase !== phase || Math.abs(next.at.getTime() - run.occurredAt) > driftMs) return
    const now = new Date(clock.now())
    const done = occurrenceRow(schedule, next, { by: '', at: now, until: now })
    await occurrences.claim([{ ...done, state: 'confirmed', byBoard: true, endedAt: new Date(run.occurredAt) }])
  }
}
