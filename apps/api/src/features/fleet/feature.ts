import type { FleetChangedEvent } from '@batti/contracts'
import { minuteMs } from '@batti/kit/durations'
import type { Boards } from '../../boards/boards.ts'
import type { Platform } from '../../platform/platform.ts'
import { ensureIndexes } from '../../platform/store/ensure-indexes.ts'
import { createBoardRecords } from './board-records.ts'
import { createFleetBook } from './fleet-book.ts'
import { createFleetHours } from './fleet-hours.ts'
import { createFleetModels } from './fleet.models.ts'
import { fleetRoutes, type FleetRoutesOptions } from './fleet.routes.ts'
import { createOutdatedVersions, type FindOutdated } from './outdated-versions.ts'
import { createBoardReader } from './read-boards.ts'
import { createBoardWatch } from './watch-boards.ts'

interface FleetDeps
  extends
    Pick<Platform, 'config' | 'connection' | 'clock' | 'cluster' | 'events' | 'isAlone' | 'log'>,
    Pick<FleetRoutesOptions, 'people' | 'unauthorizedLogs'> {
  boards: Pick<Boards, 'models'>
  firmware: { findOutdated: FindOutdated }
}

const flushMs = 1000
/** Delayed, so that reading a hundred thousand boards does not slow the start down. */
const loadAfterMs = 5000
const sweepMs = 10_000

/** The health of the fleet and of each board, counted from passing messages. */
export function createFleetFeature(deps: FleetDeps) {
  const { config, clock, events, log } = deps
  const models = { ...createFleetModels(deps.connection), ...deps.boards.models }
  const versions = createOutdatedVersions((boards) => deps.firmware.findOutdated(boards))
  const book = createFleetBook({ silentMs: config.SILENT_MINUTES * minuteMs, isOutdated: versions.isOutdated })
  const hours = createFleetHours({ ...models, isAlone: deps.isAlone })
  const records = createBoardRecords({ models, clock, log })
  const watch = createBoardWatch({ models, book, records, hours, cluster: deps.cluster, events, clock })
  let timers: NodeJS.Timeout[] = []
  let loading: Promise<void> | undefined
  let isLoaded = false
  let lastEmitted = ''

  /** Judges every board again and stores what changed. */
  async function judgeAll(): Promise<void> {
    await watch.loadUnread()
    await versions.ask(book.figures().versions)
    for (const change of book.judgeAll(clock.now())) records.judged(change)
    await flush()
  }
  /** Judges boards again that report a version which no board had before. */
  async function judgeNewVersions(): Promise<void> {
    try {
      const hasNewVersion = await versions.ask(book.figures().versions)
      for (const change of book.judgeAll(clock.now(), hasNewVersion)) records.judged(change)
    } finally {
      await flush()
    }
  }
  /** Reads every board once: on the first request for the fleet, else after the start. */
  function load(): Promise<void> {
    return (loading ??= watch
      .loadAll()
      .then(() => void (isLoaded = true))
      .then(judgeAll)
      .catch((error: unknown) => {
        loading = undefined
        throw error
      }))
  }
  async function flush(): Promise<void> {
    await records.flush()
    // Partial counts would be wrong figures.
    if (isLoaded) await hours.storeWhenDue(clock.now(), book.figures().online)
  }
  /** Called once a second alone, however often boards are judged. */
  function tellChange(): void {
    if (!isLoaded) return
    const { online, offline, silent, flapping, failing } = book.figures()
    const figures: FleetChangedEvent = { online, offline, silent, flapping, failing }
    const text = JSON.stringify(figures)
    if (text !== lastEmitted) events.emit('fleet-changed', figures)
    lastEmitted = text
  }
  // Before the load is finished nothing was judged, and the load judges everything.
  events.on('firmware-changed', () => (isLoaded ? judgeAll() : undefined))
  const warned = (work: () => Promise<void>) => () =>
    void work().catch((error: unknown) => log.warn({ err: error }, 'the fleet could not be counted'))
  async function everySecond(): Promise<void> {
    tellChange()
    await (isLoaded && versions.hasUnasked() ? judgeNewVersions() : flush())
  }

  return {
    routes: fleetRoutes({
      countBoards: () => load().then(book.figures),
      hours,
      reader: createBoardReader(models),
      records,
      devices: models.devices,
      people: deps.people,
      unauthorizedLogs: deps.unauthorizedLogs,
      now: clock.now
    }),
    /** Judges everything once, for tests with a controlled clock. */
    sweep: () => load().then(judgeAll),
    indexes: () => ensureIndexes(models.events, models.signals, models.hours),
    start() {
      timers = [
        setTimeout(warned(load), loadAfterMs),
        setInterval(warned(everySecond), flushMs),
        setInterval(
          warned(() => (isLoaded ? judgeAll() : Promise.resolve())),
          sweepMs
        )
      ]
      for (const timer of timers) timer.unref()
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await loading?.catch(() => undefined)
      records.closeAll()
      await flush()
      if (isLoaded) await hours.store(clock.now(), book.figures().online)
    }
  }
}
