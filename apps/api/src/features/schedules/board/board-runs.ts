import type { DomainEvents } from '../../../platform/events.ts'
import type { Clock } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import { missedLogId } from '../runs/missed-notices.ts'
import type { Phase } from '../timing/next-run.ts'
import { firedAs } from '../runs/judge-firing.ts'
import { occurrenceRow } from '../runs/occurrence-claims.ts'
import type { ConfirmedAs, OccurrencesRepository } from '../runs/occurrences.repository.ts'
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
const driftMs = 15 * minuteMs
const phases = ['start', 'end'] as const

/**
 * Handles reports of runs that the server does not know of: of boards that were cut off and ran a schedule by themselves, or
 * whose answer to its command was late. Their report has logged the change; here the occurrence is marked as done, so that it
 * is neither logged as missed nor fired again.
 */
export function createBoardRuns({ schedules, occurrences, findSentAt, removeLogs, clock }: BoardRunsOptions) {
  /** A board cannot report runs of another board. The schedule may have been deleted, or given to another board, since. */
  async function closestRow(of: { scheduleId: string; phase: Phase; deviceId: string }, at: number) {
    const rows = await occurrences.findBetween(of, { first: new Date(at - driftMs), last: new Date(at + driftMs) })
    const away = (row: { dueAt: Date }): number => Math.abs(row.dueAt.getTime() - at)
    return rows.toSorted((a, b) => away(a) - away(b))[0] ?? null
  }

  async function confirm(id: string, how: ConfirmedAs): Promise<void> {
    if (await occurrences.confirm(id, how)) await removeLogs([missedLogId(id)])
  }

  async function noteAnswer(answer: DomainEvents['schedule-answered']): Promise<void> {
    const { scheduleId, deviceId, occurredAt } = answer
    // The answer of a board that was cut off arrives when it is back.
    const at = (await findSentAt(answer.commandId)) ?? occurredAt
    const found = await Promise.all(phases.map((phase) => closestRow({ scheduleId, phase, deviceId }, at)))
    for (const row of found)
      if (row !== null && answer.switches[row.switchIndex] === (row.action === 'on'))
        await confirm(row._id, { state: firedAs(row, at), endedAt: new Date(occurredAt), byBoard: false })
  }

  /** `entryId` is `<scheduleId>:<phase>`, as sent to the board. */
  async function noteRun(run: DomainEvents['schedule-reported']): Promise<void> {
    const { entryId, deviceId, occurredAt } = run
    const [scheduleId = '', phase] = entryId.split(':')
    if (!/^[0-9a-f]{24}$/.test(scheduleId) || (phase !== 'start' && phase !== 'end')) return
    const how = { state: 'confirmed', endedAt: new Date(occurredAt), byBoard: true } as const
    const row = await closestRow({ scheduleId, phase, deviceId }, occurredAt)
    if (row !== null) return confirm(row._id, how)
    // The server has not fired it yet: insert its row before the runner does.
    const schedule = await schedules.findById(scheduleId)
    if (schedule === null || String(schedule.deviceId) !== deviceId) return
    const { next } = schedule
    if (next === null || next.phase !== phase || Math.abs(next.at.getTime() - occurredAt) > driftMs) return
    const now = new Date(clock.now())
    await occurrences.claim([{ ...occurrenceRow(schedule, next, { by: '', at: now, until: now }), ...how }])
  }

  return { noteRun, noteAnswer }
}
