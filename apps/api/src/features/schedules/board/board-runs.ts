import { addDays } from '@batti/contracts'
import type { DomainEvents } from '../../../platform/events.ts'
import type { Clock } from '@batti/kit/clock'
import { missedLogId } from '../runs/missed-notices.ts'
import { localDate, type Phase } from '../timing/next-run.ts'
import { occurrenceRow, type OccurrencesRepository } from '../runs/occurrences.repository.ts'
import type { ScheduleDocument } from '../schedule.model.ts'
import type { SchedulesRepository } from '../schedules.repository.ts'

export interface BoardRunsOptions {
  schedules: Pick<SchedulesRepository, 'findById'>
  occurrences: Pick<OccurrencesRepository, 'claim' | 'findBetween' | 'confirm'>
  /** Returns when a command was sent; null if it is not stored. */
  findSentAt(commandId: string): Promise<number | null>
  removeLogs(ids: readonly string[]): Promise<void>
  clock: Clock
}

/** How far a board's clock may be off when it runs a schedule by itself. */
const driftMs = 15 * 60_000
const phases = ['start', 'end'] as const

/**
 * Handles reports of runs that the server does not know of: of boards that were cut off and ran a schedule by themselves, or
 * whose answer to its command was late. Their report has logged the change; here the occurrence is marked as done, so that it
 * is neither logged as missed nor fired again.
 */
export function createBoardRuns({ schedules, occurrences, findSentAt, removeLogs, clock }: BoardRunsOptions) {
  async function closestRow(schedule: ScheduleDocument, phase: Phase, at: number) {
    const day = localDate(at, schedule.timezone)
    const dates = { first: addDays(day, -1), last: addDays(day, 1) }
    const rows = await occurrences.findBetween(String(schedule._id), phase, dates)
    const away = (row: { dueAt: Date }): number => Math.abs(row.dueAt.getTime() - at)
    return rows.filter((row) => away(row) <= driftMs).toSorted((a, b) => away(a) - away(b))[0] ?? null
  }

  /** A board cannot report schedules of another board. */
  async function scheduleOf(id: string, deviceId: string): Promise<ScheduleDocument | null> {
    const schedule = /^[0-9a-f]{24}$/.test(id) ? await schedules.findById(id) : null
    return String(schedule?.deviceId) === deviceId ? schedule : null
  }

  async function confirm(id: string, how: { endedAt: Date; byBoard: boolean }): Promise<void> {
    const was = await occurrences.confirm(id, how)
    if (was === 'missed') await removeLogs([missedLogId(id)])
  }

  async function noteAnswer(answer: DomainEvents['schedule-answered']): Promise<void> {
    const schedule = await scheduleOf(answer.scheduleId, answer.deviceId)
    if (schedule === null) return
    // The answer of a board that was cut off arrives when it is back.
    const at = (await findSentAt(answer.commandId)) ?? answer.occurredAt
    const found = await Promise.all(phases.map((phase) => closestRow(schedule, phase, at)))
    for (const row of found)
      if (row !== null && answer.switches[row.switchIndex] === (row.action === 'on'))
        await confirm(row._id, { endedAt: new Date(answer.occurredAt), byBoard: false })
  }

  /** `entryId` is `<scheduleId>:<phase>`, as sent to the board. */
  async function noteRun(run: DomainEvents['schedule-reported']): Promise<void> {
    const [scheduleId = '', phase] = run.entryId.split(':')
    if (phase !== 'start' && phase !== 'end') return
    const schedule = await scheduleOf(scheduleId, run.deviceId)
    if (schedule === null) return
    const row = await closestRow(schedule, phase, run.occurredAt)
    if (row !== null) return confirm(row._id, { endedAt: new Date(run.occurredAt), byBoard: true })
    // The server has not fired it yet: insert its row before the runner does.
    const { next } = schedule
    if (next === null || next.phase !== phase || Math.abs(next.at.getTime() - run.occurredAt) > driftMs) return
    const now = new Date(clock.now())
    const done = occurrenceRow(schedule, next, { by: '', at: now, until: now })
    await occurrences.claim([{ ...done, state: 'confirmed', byBoard: true, endedAt: new Date(run.occurredAt) }])
  }

  return { noteRun, noteAnswer }
}
