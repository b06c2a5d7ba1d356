import type { Clock } from '@batti/kit/clock'
import type { Logger } from 'pino'
import type { Metrics } from '../../platform/http/metrics.ts'
import type { DeviceRegistry } from '../registry/device-registry.ts'
import type { DeviceStore } from '../registry/device-store.ts'

/** While boards owe answers; else it takes less to notice who has fallen silent, and a processor may sleep. */
const sweepMs = 100
const calmSweepMs = 500
const expiryMs = 60_000

/** What is looked at again and again: late answers and silence several times a second, what is over each minute. */
export function createRounds(deps: {
  clock: Pick<Clock, 'now'>
  registry: Pick<DeviceRegistry, 'countOnline'>
  store: Pick<DeviceStore, 'expireForgottenCommands'>
  metrics: Pick<Metrics, 'onlineDevices'>
  log: Logger
  sweep(): void
  /** Whether boards owe answers. */
  isAwaiting(): boolean
  forgetUnused(): void
}) {
  const { clock, registry, store, metrics, log, sweep, isAwaiting, forgetUnused } = deps
  let timer: NodeJS.Timeout | undefined
  let expiry: NodeJS.Timeout | undefined

  function sweepAndWait(): void {
    sweep()
    timer = setTimeout(sweepAndWait, isAwaiting() ? sweepMs : calmSweepMs)
  }

  function expireForgotten(): void {
    store
      .expireForgottenCommands(new Date(clock.now() - expiryMs))
      .catch((error: unknown) => log.warn({ err: error }, 'forgotten commands could not be ended'))
  }

  /** Of the whole installation: what others noted is in the database. */
  function countBoards(): void {
    registry
      .countOnline()
      .then((count) => metrics.onlineDevices.set(count))
      .catch((error: unknown) => log.warn({ err: error }, 'boards online could not be counted'))
  }

  return {
    countBoards,
    /** Sweeps at once. */
    start(): void {
      sweepAndWait()
      // Those of an api that died a moment before this one started were still in time then.
      expiry = setInterval(() => {
        expireForgotten()
        forgetUnused()
        countBoards()
      }, expiryMs)
    },
    stop(): void {
      clearTimeout(timer)
      clearInterval(expiry)
    }
  }
}
