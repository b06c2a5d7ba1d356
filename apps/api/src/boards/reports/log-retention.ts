import { watchForDoubt } from '@batti/kit/clock-doubt'
import { dayMs, minuteMs } from '@batti/kit/durations'
import type { Model } from 'mongoose'
import type { Logger } from 'pino'
import type { Clock } from '@batti/kit/clock'
import { deleteInBatches } from '../../platform/store/batches/delete-in-batches.ts'
import type { ActionLogDocument } from './action-log.model.ts'

/** Short enough for a home that is on for less than an hour a day. */
const cleanEveryMs = 10 * minuteMs

/**
 * Deletes log rows that have passed the configured age, but not while the wall clock is in doubt. Needs no index of its own.
 */
export function createLogRetention(deps: {
  actionLogs: Model<ActionLogDocument>
  days: number
  clock: Clock
  log: Logger
}) {
  const { actionLogs, days, clock, log } = deps
  const isInDoubt = watchForDoubt(clock)
  let timer: NodeJS.Timeout | undefined

  async function clean(): Promise<void> {
    if (isInDoubt()) return
    await deleteInBatches(actionLogs, { createdAt: { $lt: new Date(clock.now() - days * dayMs) } })
  }

  return {
    clean,
    start(): void {
      timer = setInterval(() => {
        clean().catch((error: unknown) => log.warn({ err: error }, 'old rows of the log could not be removed'))
      }, cleanEveryMs)
    },
    stop: (): void => clearInterval(timer)
  }
}
