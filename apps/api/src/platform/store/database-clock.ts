import type { Clock } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import type { Connection } from 'mongoose'
import type { Logger } from 'pino'
import { clocksApartMs } from '../clocks-apart.ts'
import { createOtherClock } from '../other-clock.ts'

/**
 * Compares the clock of this instance with that of the database, once a minute. Sessions and codes, which other instances
 * judge, get their times from that of the database. Schedules do not: one with a wrong clock fires for all homes at the wrong time.
 */
export function createDatabaseClock(parts: {
  connection: Connection
  clock: Clock
  log: Logger
  /** Replaces the clock of the database, for tests with a clock of their own. */
  databaseTime?: (() => number) | undefined
}) {
  const { connection, clock, log, databaseTime } = parts
  const theirClock = createOtherClock(clock)
  let isRight = true
  let timer: NodeJS.Timeout | undefined

  async function localTime(): Promise<number> {
    const answer = await connection.getClient().db().admin().command({ hello: 1 })
    return Number(answer['localTime'])
  }

  /** Returns how many milliseconds this clock is ahead at least; negative if it is behind. */
  async function aheadMs(): Promise<number> {
    const [askedAt, asked] = [clock.now(), clock.monotonic()]
    const theirs = databaseTime?.() ?? (await localTime())
    theirClock.note(theirs, asked)
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
    /** The time by the clock of the database, which is the same for all instances. */
    now(): number {
      const ahead = theirClock.ahead()
      return ahead === null ? clock.now() : Math.round(ahead + clock.monotonic())
    },
    look,
    async start(): Promise<void> {
      await lookIfPossible()
      timer = setInterval(() => void lookIfPossible(), minuteMs)
    },
    stop: (): void => clearInterval(timer)
  }
}
