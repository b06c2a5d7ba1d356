import type { Clock } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import type { Connection } from 'mongoose'
import type { Logger } from 'pino'
import { clocksApartMs } from '../clocks-apart.ts'

/**
 * Compares the clock of this instance with that of the database, once a minute. Instances judge the times of schedules,
 * codes and sessions that others have stored, so one with a wrong clock fires for all homes at the wrong time.
 */
export function createDatabaseClock(parts: { connection: Connection; clock: Pick<Clock, 'now'>; log: Logger }) {
  const { connection, clock, log } = parts
  let isRight = true
  let timer: NodeJS.Timeout | undefined

  /** Returns how many milliseconds this clock is ahead at least; negative if it is behind. */
  async function aheadMs(): Promise<number> {
    const askedAt = clock.now()
    const { localTime } = await connection.getClient().db().admin().command({ hello: 1 })
    const theirs = Number(localTime)
    return askedAt > theirs ? askedAt - theirs : Math.min(0, clock.now() - theirs)
  }

  async function look(): Promise<void> {
    const ahead = await aheadMs()
    const wasRight = isRight
    isRight = Math.abs(ahead) <= clocksApartMs
    if (isRight === wasRight) return
    if (isRight) log.info('the clock of this machine agrees with that of the database again')
    else
      log.error(
        { aheadS: Math.round(ahead / 1000) },
        'the clock of this machine differs from that of the database: set it, or schedules run at wrong times'
      )
  }
  // Without an answer nothing is known, and readiness names the database.
  const lookIfPossible = (): Promise<void> => look().catch(() => undefined)

  return {
    isRight: (): boolean => isRight,
    look,
    async start(): Promise<void> {
      await lookIfPossible()
      timer = setInterval(() => void lookIfPossible(), minuteMs)
    },
    stop: (): void => clearInterval(timer)
  }
}
