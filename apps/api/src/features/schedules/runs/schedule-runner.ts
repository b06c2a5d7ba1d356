import { minuteMs } from '@batti/kit/durations'
import type { DeviceDirectory } from '../../../boards/registry/device-directory.ts'
import type { LiveDevice } from '../../../boards/registry/live-device.ts'
import { clocksApartMs } from '../../../platform/clocks-apart.ts'
import { limitConcurrency } from '../../../platform/limit-concurrency.ts'
import { createPollLoop } from '../../../platform/poll-loop.ts'
import type { PollTimesOptions } from '../../../platform/poll-times.ts'
import { inBatches } from '../../../platform/store/batches/in-batches.ts'
import { createFiring, type FiringOptions } from './fire-occurrences.ts'
import { createWallClockFollower, type WallClockOptions } from './follow-wall-clock.ts'
import { supersededAmong } from './judge-firing.ts'
import { rememberInstants } from '../timing/next-run.ts'
import type { OccurrenceDocument } from './occurrence.model.ts'
import { leaseMs, occurrenceRow, type Claim } from './occurrence-claims.ts'
import type { OccurrencesRepository } from './occurrences.repository.ts'
import type { ScheduleDocument } from '../schedule.model.ts'
import { stepAfter } from './schedule-step.ts'
import type { SchedulesRepository } from '../schedules.repository.ts'

export interface ScheduleRunnerOptions extends FiringOptions, WallClockOptions {
  schedules: Pick<SchedulesRepository, 'findDue' | 'advance'>
  occurrences: Pick<OccurrencesRepository, 'claim' | 'findSameInstants' | 'takeOver' | 'forgetClaimed' | 'postpone'>
  directory: Pick<DeviceDirectory, 'findMany'>
  /** Returns the ids of occurrences that, according to the log, have switched their outlet since they were claimed. */
  findRun(rows: readonly OccurrenceDocument[]): Promise<ReadonlySet<string>>
  /** Forgets which of these were missed only by a clock that was ahead. Returns their ids. */
  forgetMissed(ids: readonly string[]): Promise<readonly string[]>
  /** Restores due schedules that were moved forward only by a clock that was behind. Returns the others. */
  takeUpAgain(due: readonly ScheduleDocument[]): Promise<readonly ScheduleDocument[]>
  /** The name of this process among the api instances. */
  instance: string
  /** Whether no other instance fires or changes schedules. */
  isAlone: boolean
  /** The other instances. */
  cluster: PollTimesOptions['cluster']
}

const dueAtOnce = 10_000
/** Concurrent batches, so that one is prepared while the database handles another. */
const claimsAtOnce = 3

/**
 * Fires schedules, each occurrence once however many api instances run: its row with a unique key is inserted before it fires,
 * and if the instance dies, another takes it over when the lease has expired.
 */
export function createScheduleRunner(options: ScheduleRunnerOptions) {
  const { schedules, occurrences, results, directory, clock, log, instance } = options
  const { fire, endStateOf } = createFiring(options)
  const followWallClock = createWallClockFollower(options)
  const loop = createPollLoop({
    ...options,
    name: 'schedules',
    now: clock.now,
    /** Fires what is due and takes over what was left behind. */
    pass: () => followWallClock().then(fireDue).then(takeOver),
    failed: (error) => log.error({ err: error }, 'schedules could not be processed'),
    /** Until the next full minute, when schedules are due, or a second, to take over what was left behind. */
    waitMs: () => Math.min(1000, minuteMs - (clock.now() % minuteMs) + 1)
  })
  let takeovers = 0

  const claimNow = (name: string): Claim => {
    const now = clock.now()
    return { by: name, at: new Date(now), until: new Date(now + leaseMs) }
  }

  async function fireDue(): Promise<void> {
    for (;;) {
      const found = await schedules.findDue(new Date(clock.now()), dueAtOnce)
      if (found.length === 0 || loop.isStopped()) return
      loop.wake()
      const due = await options.takeUpAgain(found)
      if (due.length < found.length) {
        log.warn({ schedules: found.length - due.length }, 'the clock was behind: schedules are planned as before')
      }
      if (due.length === 0) continue
      const limited = limitConcurrency(claimsAtOnce)
      const won = (await Promise.all(inBatches(due).map((batch) => limited(() => claim(batch))))).flat()
      const [winners, devices] = await Promise.all([dropSuperseded(won), boardsOf(won)])
      await fire(winners, devices, false)
      // After all commands were sent: a plan that is not advanced is found again, and its occurrence is already claimed.
      const resolve = rememberInstants()
      for (const batch of inBatches(due))
        await schedules.advance(batch.map((each) => stepAfter(each, clock.now(), resolve)))
      log.info({ due: due.length, claimed: won.length }, 'schedules were due')
    }
  }

  /** Claims the occurrences of these schedules; returns those that this instance must fire. */
  async function claim(due: readonly ScheduleDocument[]): Promise<OccurrenceDocument[]> {
    const lease = claimNow(instance)
    const rows = due.flatMap((schedule) =>
      schedule.next === null ? [] : [occurrenceRow(schedule, schedule.next, lease)]
    )
    const won = await occurrences.claim(rows)
    if (won.length === rows.length) return won
    const ids = new Set(won.map(({ _id }) => _id))
    const others = rows.filter(({ _id }) => !ids.has(_id))
    const forgotten = new Set(await options.forgetMissed(others.map(({ _id }) => _id)))
    return [...won, ...(await occurrences.claim(others.filter(({ _id }) => forgotten.has(_id))))]
  }

  const boardsOf = (rows: readonly OccurrenceDocument[]): Promise<Map<string, LiveDevice>> =>
    directory.findMany([...new Set(rows.map(({ deviceId }) => String(deviceId)))])

  /** Keeps only one occurrence per outlet and instant, whichever instances have claimed them. */
  async function dropSuperseded(won: readonly OccurrenceDocument[]): Promise<OccurrenceDocument[]> {
    if (won.length === 0) return []
    const instants = [...new Set(won.map(({ dueAt }) => dueAt.getTime()))].map((at) => new Date(at))
    const losers = supersededAmong(await occurrences.findSameInstants(instants))
    for (const row of won) if (losers.has(row._id)) results.end(row, 'superseded', 'another schedule of the switch')
    return won.filter(({ _id }) => !losers.has(_id))
  }

  async function takeOver(): Promise<void> {
    const rows = await occurrences.takeOver(claimNow(`${instance}/${(takeovers += 1)}`))
    if (rows.length === 0) return
    loop.wake()
    const [devices, run] = await Promise.all([boardsOf(rows), options.findRun(rows)])
    for (const row of rows) if (run.has(row._id)) results.end(row, endStateOf(row), null)
    const open = rows.filter(({ _id }) => !run.has(_id))
    // A clock that was ahead has claimed occurrences that are not due yet.
    const latest = clock.now() + clocksApartMs
    const isEarly = ({ dueAt }: OccurrenceDocument): boolean => dueAt.getTime() > latest
    await occurrences.forgetClaimed(open.filter(isEarly))
    await fire(
      open.filter((row) => !isEarly(row)),
      devices,
      true
    )
  }

  return {
    tick: loop.tick,
    start: loop.start,
    /** Sent occurrences keep their lease: if the answer comes too late for this process, another takes over. */
    async stop(): Promise<void> {
      await loop.stop()
      await results.drain()
    }
  }
}
