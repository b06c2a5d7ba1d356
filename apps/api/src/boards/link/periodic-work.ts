import type { Clock, Timers } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import type { Logger } from 'pino'
import type { Metrics } from '../../platform/http/metrics.ts'
import type { DeviceRegistry } from '../registry/device-registry.ts'
import type { DeviceStore } from '../registry/device-store.ts'

/** While commands are pending. Otherwise less often: silence is not urgent, and the processor may sleep. */
const sweepMs = 100
const idleSweepMs = 500
/** A sweep that is later than this was due while the process was suspended. */
const suspendedMs = 5000
const expiryMs = minuteMs

/** Periodic work: late answers and silent boards several times a second, expired records once a minute. */
export function createPeriodicWork(deps: {
  clock: Pick<Clock, 'now'>
  /** The time of this machine, also where a test drives the clock. */
  timers: Pick<Timers, 'monotonic' | 'after'>
  registry: Pick<DeviceRegistry, 'countOnline'>
  store: Pick<DeviceStore, 'expireForgottenCommands'>
  metrics: Pick<Metrics, 'onlineDevices'>
  log: Logger
  sweep(): void
  /** Called before the first sweep after the process was suspended. */
  wasSuspended(): void
  /** Whether any command is pending. */
  isAwaiting(): boolean
  forgetUnused(): void
}) {
  const { clock, timers, registry, store, metrics, log, sweep, isAwaiting, forgetUnused } = deps
  let cancelSweep = (): void => {}
  let expiry: NodeJS.Timeout | undefined

  function sweepAndWait(dueAt: number): void {
    const now = timers.monotonic()
    if (now - dueAt > suspendedMs) deps.wasSuspended()
    sweep()
    const waitMs = isAwaiting() ? sweepMs : idleSweepMs
    cancelSweep = timers.after(waitMs, () => sweepAndWait(now + waitMs))
  }

  function expireForgotten(): void {
    store
      .expireForgottenCommands(new Date(clock.now() - expiryMs))
      .catch((error: unknown) => log.warn({ err: error }, 'forgotten commands could not be ended'))
  }

  /** Counts the boards online in the whole installation: the database also holds what other instances wrote. */
  function countBoards(): void {
    registry
      .countOnline()
      .then((count) => metrics.onlineDevices.set(count))
      .catch((error: unknown) => log.warn({ err: error }, 'boards online could not be counted'))
  }

  return {
    countBoards,
    /** Starts the periodic work, with a first sweep at once. */
    start(): void {
      sweepAndWait(timers.monotonic())
      // Repeated, because commands of an api that crashed just before this start had not expired yet.
      expiry = setInterval(() => {
        expireForgotten()
        forgetUnused()
        countBoards()
      }, expiryMs)
    },
    stop(): void {
      cancelSweep()
      clearInterval(expiry)
    }
  }
}
