import type { Logger } from 'pino'
import type { Clock } from '@batti/kit/clock'
import type { EventBus } from '../../../platform/events.ts'
import type { StoreBatch } from '../../../platform/store/batches/batch-collector.ts'
import { createWriteBehind } from '../../../platform/store/batches/write-behind.ts'
import { missedLogOf, noticesFor, type Missed, type MissedLog } from './missed-notices.ts'
import type { OccurrenceDocument } from './occurrence.model.ts'
import type { OccurrenceEnd, OccurrencesRepository } from './occurrences.repository.ts'

export interface OccurrenceResultsOptions {
  occurrences: Pick<OccurrencesRepository, 'end' | 'findMissed'>
  /** Idempotent: existing rows are kept. */
  addMissedLogs(rows: readonly MissedLog[]): Promise<void>
  removeLogs(ids: readonly string[]): Promise<void>
  clock: Clock
  events: EventBus
  log: Logger
}

/** Stores the results of occurrences in batches. Missed ones are logged, and their owners are notified once that is stored. */
export function createOccurrenceResults(options: OccurrenceResultsOptions) {
  const { occurrences, clock, events } = options

  async function store({ logs: missed, states: ends }: StoreBatch<Missed, never, OccurrenceEnd>): Promise<void> {
    const rows = missed.map(missedLogOf)
    // Log rows come first: after a crash in between, the occurrence is taken over and its row written again.
    await options.addMissedLogs(rows)
    await occurrences.end([...ends.values()])
    if (missed.length === 0) return
    // The board may meanwhile have reported that it ran the schedule while it was cut off.
    const reallyMissed = await occurrences.findMissed(missed.map(({ row }) => row._id))
    await options.removeLogs(rows.filter(({ occurrence }) => !reallyMissed.has(occurrence)).map(({ id }) => id))
    for (const notice of noticesFor(missed.filter(({ row }) => reallyMissed.has(row._id)))) {
      events.emit('user-notified', notice)
    }
  }

  const queue = createWriteBehind<Missed, never, OccurrenceEnd>({ store, log: options.log })

  function end(row: OccurrenceDocument, state: OccurrenceEnd['state'], reason: string | null): void {
    const fields = { id: row._id, state, reason, endedAt: new Date(clock.now()), claimedBy: row.claimedBy }
    queue.setState(row._id, () => fields)
  }

  return {
    end,
    missed(list: readonly Missed[]): void {
      for (const missed of list) {
        queue.addLog(missed)
        end(missed.row, 'missed', missed.reason)
      }
    },
    drain: queue.drain
  }
}
export type OccurrenceResults = ReturnType<typeof createOccurrenceResults>
