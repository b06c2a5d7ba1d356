import {
  getDeviceHistory,
  getFleet,
  listDeviceEvents,
  listFleetAttention,
  type FleetChangedEvent,
  type RefusalsOfHour
} from '@batti/contracts'
import { dayMs } from '@batti/kit/durations'
import type { Boards } from '../../boards/boards.ts'
import { maySeeDevice } from '../../boards/device.policy.ts'
import type { DeviceDocument } from '../../boards/registry/device.model.ts'
import { notFound } from '../../platform/app-error.ts'
import { on } from '../../platform/http/call.ts'
import { pageInfo, pageOf } from '../../platform/paging.ts'
import { isStaff, type Actor } from '../../platform/people/actor.ts'
import type { Platform } from '../../platform/platform.ts'
import { ensureIndexes } from '../../platform/store/ensure-indexes.ts'
import { createBoardRecords } from './board-records.ts'
import { createBoardReader } from './read-boards.ts'
import { createFleetBook } from './fleet-book.ts'
import { createFleetHours } from './fleet-hours.ts'
import { createFleetModels } from './fleet.models.ts'
import { createOutdatedVersions, type FindOutdated } from './outdated-versions.ts'
import { createBoardWatch } from './watch-boards.ts'

interface FleetDeps extends Pick<
  Platform,
  'config' | 'connection' | 'clock' | 'cluster' | 'events' | 'isAlone' | 'log'
> {
  boards: Pick<Boards, 'models'>
  people: { findPeople(ids: readonly string[]): Promise<Map<string, { _id: string; name: string }>> }
  /** The log of refusals; without it none are shown. */
  unauthorizedLogs?: { lastHours(): Promise<RefusalsOfHour[]> }
  firmware: { findOutdated: FindOutdated }
}

const flushMs = 1000
/** Delayed, so that reading a hundred thousand boards does not slow the start down. */
const loadAfterMs = 5000
const sweepMs = 10_000

/** The health of the fleet and of each board, counted from passing messages. */
export function createFleetFeature(deps: FleetDeps) {
  const { config, clock, events, log, people } = deps
  const models = { ...createFleetModels(deps.connection), ...deps.boards.models }
  const versions = createOutdatedVersions((boards) => deps.firmware.findOutdated(boards))
  const book = createFleetBook({ silentMs: config.SILENT_MINUTES * 60_000, isOutdated: versions.isOutdated })
  const hours = createFleetHours({ ...models, isAlone: deps.isAlone })
  const records = createBoardRecords({ models, clock, log })
  const watch = createBoardWatch({ models, book, records, hours, cluster: deps.cluster, events, clock })
  const reader = createBoardReader(models)
  let timers: NodeJS.Timeout[] = []
  let loading: Promise<void> | undefined
  let isLoaded = false
  let lastEmitted = ''

  async function findBoard(actor: Actor, id: string): Promise<DeviceDocument> {
    const device = await models.devices.findById(id).lean<DeviceDocument>()
    if (device === null || !maySeeDevice(actor, device)) throw notFound('Device')
    return device
  }
  /** The days of a former owner are hidden from the new one. */
  const seenSince = (actor: Actor, device: DeviceDocument): Date | null =>
    isStaff(actor) ? null : (device.ownedSince ?? device.createdAt)

  /** Judges every board again, stores what changed and notifies the open screens of staff. */
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
      // Screens are told of presence also while the question fails, which is asked again each second.
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
    // Partial counts would be wrong figures.
    if (!isLoaded) return records.flush()
    const { online, offline, silent, flapping, failing } = book.figures()
    const figures: FleetChangedEvent = { online, offline, silent, flapping, failing }
    const text = JSON.stringify(figures)
    if (text !== lastEmitted) events.emit('fleet-changed', figures)
    lastEmitted = text
    await records.flush()
    await hours.storeWhenDue(clock.now(), online)
  }
  // Before the load is finished nothing was judged, and the load judges everything.
  events.on('firmware-changed', () => (isLoaded ? judgeAll() : undefined))
  const warned = (work: () => Promise<void>) => () =>
    void work().catch((error: unknown) => log.warn({ err: error }, 'the fleet could not be counted'))

  return {
    routes: [
      on(getFleet, async () => {
        await load()
        const figures = book.figures()
        await hours.store(clock.now(), figures.online)
        const [byHours, byHour] = await Promise.all([
          hours.last(clock.now(), figures.online),
          deps.unauthorizedLogs?.lastHours() ?? []
        ])
        return { ...figures, ...byHours, byHour }
      }),
      on(listFleetAttention, async ({ query }) => {
        const found = await reader.attention(query, clock.now())
        const owners = await people.findPeople(found.flatMap(({ device: { userId } }) => userId?.toHexString() ?? []))
        return {
          boards: found.map(({ device, ...row }) => {
            const owner = device.userId === null ? undefined : owners.get(device.userId.toHexString())
            const { _id, deviceMac, setName, deviceName } = device
            return {
              device: {
                _id: String(_id),
                deviceMac,
                setName: setName === '' ? deviceName : setName,
                owner: owner === undefined ? null : { _id: owner._id, name: owner.name }
              },
              ...row
            }
          })
        }
      }),
      on(listDeviceEvents, async ({ actor, params, query }) => {
        const device = await findBoard(actor, params.id)
        const page = pageOf(query)
        const of = { deviceId: params.id, kind: query.kind, since: seenSince(actor, device) }
        const found = await reader.events(of, page)
        return { events: found.events, ...pageInfo(page, found.total) }
      }),
      on(getDeviceHistory, async ({ actor, params, query }) => {
        const device = await findBoard(actor, params.id)
        const now = clock.now()
        const since = Math.max(now - query.days * dayMs, seenSince(actor, device)?.getTime() ?? 0)
        return reader.history(device, { since, now, running: records.openSignalOf(params.id) })
      })
    ],
    /** Judges everything once, for tests with a controlled clock. */
    sweep: () => load().then(judgeAll),
    indexes: () => ensureIndexes(models.events, models.signals, models.hours),
    start() {
      timers = [
        setTimeout(warned(load), loadAfterMs),
        setInterval(
          warned(() => (isLoaded && versions.hasUnasked() ? judgeNewVersions() : flush())),
          flushMs
        ),
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
