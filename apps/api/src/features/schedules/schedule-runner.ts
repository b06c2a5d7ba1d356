import type { DeviceDirectory } from '../../boards/registry/device-directory.ts'
import type { LiveDevice } from '../../boards/registry/live-device.ts'
import { limitConcurrency } from '../../platform/limit-concurrency.ts'
import { createLooks, type LooksOptions } from '../../platform/looks.ts'
import { inBatches } from '../../platform/store/in-batches.ts'
import { createFiring, type FiringOptions } from './fire-occurrences.ts'
import { supersededAmong } from './judge-firing.ts'
import { rememberInstants } from './next-run.ts'
import type { OccurrenceDocument } from './occurrence.model.ts'
import { occurrenceRow, type Claim, type OccurrencesRepository } from './occurrences.repository.ts'
import type { ScheduleDocument } from './schedule.model.ts'
import { stepAfter } from './schedule-step.ts'
import type { SchedulesRepository } from './schedules.repository.ts'

export interface ScheduleRunnerOptions extends FiringOptions {
  schedules: Pick<SchedulesRepository, 'findDue' | 'advance'>
  occurrences: Pick<OccurrencesRepository, 'claim' | 'findSameInstants' | 'takeOver' | 'postpone'>
  directory: Pick<DeviceDirectory, 'findMany'>
  /** Ids of those that have switched their outlet since they were claimed, as the log says. */
  findRun(rows: readonly OccurrenceDocument[]): Promise<ReadonlySet<string>>
  /** Plans that were made while the wall clock was ahead are made anew. */
  replanSkipped(): Promise<void>
  /** Of what is due, what only a clock that was behind made wait for that goes on as before. Answers the others. */
  takeUpAgain(due: readonly ScheduleDocument[]): Promise<readonly ScheduleDocument[]>
  /** Names this process among the api instances. */
  instance: string
  /** No other instance fires them, or sets them. */
  isAlone: boolean
  /** The others. */
  cluster: LooksOptions['cluster']
}

/** Others leave a claimed occurrence alone this long: longer than a command lives, short enough for another to take over in 10 s. */
const leaseMs = 9000
const dueAtOnce = 10_000
/** What the wall clock is set back by at once: less makes no plan wait for long. */
const setBackMs = 10_000
/** Batches under way at a time: one is made ready while the database has another. */
const claimsAtOnce = 3

/**
 * Fires schedules, each occurrence once however many api instances run: its row, with a unique key, is inserted before
 * it fires, and one whose instance died is taken over when its lease has run out.
 */
export function createScheduleRunner(options: ScheduleRunnerOptions) {
  const { schedules, occurrences, results, directory, clock, log, instance } = options
  const { fire, endStateOf } = createFiring(options)
  const looks = createLooks({ ...options, name: 'schedules', now: clock.now })
  let timer: NodeJS.Timeout | undefined
  let isRunning = false
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  let takeovers = 0
  /** How far the wall clock is ahead of the monotonic one. */
  let aheadMs = clock.now() - clock.monotonic()

  async function followWallClock(): Promise<void> {
    const nowAheadMs = clock.now() - clock.monotonic()
    if (aheadMs - nowAheadMs > setBackMs) {
      await results.drain()
      await options.replanSkipped()
      log.warn({ setBackMs: Math.round(aheadMs - nowAheadMs) }, 'the clock was set back: schedules are planned anew')
    }
    aheadMs = nowAheadMs
  }

  const claimNow = (name: string): Claim => {
    const now = clock.now()
    return { by: name, at: new Date(now), until: new Date(now + leaseMs) }
  }

  async function fireDue(): Promise<void> {
    for (;;) {
      const found = await schedules.findDue(new Date(clock.now()), dueAtOnce)
      if (found.length === 0 || isStopped) return
      looks.wake()
      const due = await options.takeUpAgain(found)
      if (due.length < found.length) {
        log.warn({ schedules: found.length - due.length }, 'the clock was behind: schedules are planned as before')
      }
      if (due.length === 0) continue
      const limited = limitConcurrency(claimsAtOnce)
      const won = (await Promise.all(inBatches(due).map((batch) => limited(() => claim(batch))))).flat()
      const [winners, devices] = await Promise.all([dropSuperseded(won), boardsOf(won)])
      await fire(winners.filter(isStillLeased), devices, false)
      // After all commands have left: a plan that is not moved on is found again, and its occurrence is claimed already.
      const resolve = rememberInstants()
      for (const batch of inBatches(due))
        await schedules.advance(batch.map((each) => stepAfter(each, clock.now(), resolve)))
      log.info({ due: due.length, claimed: won.length }, 'schedules were due')
    }
  }

  /** The occurrences of these schedules that are this instance's to fire. */
  function claim(due: readonly ScheduleDocument[]): Promise<OccurrenceDocument[]> {
    const lease = claimNow(instance)
    return occurrences.claim(
      due.flatMap((schedule) => (schedule.next === null ? [] : [occurrenceRow(schedule, schedule.next, lease)]))
    )
  }

  /** Where looking things up took so long that a lease has run out, somebody else fires it. */
  const isStillLeased = ({ leaseUntil }: OccurrenceDocument): boolean => leaseUntil.getTime() > clock.now()

  const boardsOf = (rows: readonly OccurrenceDocument[]): Promise<Map<string, LiveDevice>> =>
    directory.findMany([...new Set(rows.map(({ deviceId }) => String(deviceId)))])

  /** Of those for one outlet at one instant only one fires, whichever instances have claimed them. */
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
    looks.wake()
    const [devices, run] = await Promise.all([boardsOf(rows), options.findRun(rows)])
    for (const row of rows) if (run.has(row._id)) results.end(row, endStateOf(row), null)
    const open = rows.filter(({ _id }) => !run.has(_id))
    await fire(open.filter(isStillLeased), devices, true)
  }

  /** One look at what is due and at what was left behind; never two at a time. */
  function tick(): Promise<void> {
    if (isRunning || isStopped) return running
    isRunning = true
    running = followWallClock()
      .then(fireDue)
      .then(takeOver)
      .catch((error: unknown) => {
        looks.wake()
        log.error({ err: error }, 'schedules could not be looked at')
      })
      .finally(() => (isRunning = false))
    return running
  }

  /** At each full minute, when schedules are due, and each second for what was left behind. */
  function wait(): void {
    const untilMinute = 60_000 - (clock.now() % 60_000)
    timer = setTimeout(
      () => void (looks.isTime() ? tick() : running).finally(() => (isStopped ? undefined : wait())),
      Math.min(1000, untilMinute + 1)
    )
  }

  return {
    tick,
    start(): void {
      isStopped = false
      wait()
    },
    /** What has been sent keeps its lease; should its answer come too late for this process, another looks after it. */
    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      await running
      await results.drain()
    }
  }
}
