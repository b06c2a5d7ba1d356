import type { Clock } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import { incrementRevision } from './registry/increment-revision.ts'
import type { LiveDevice } from './registry/live-device.ts'
import { closeServer } from '../platform/http/close-server.ts'
import type { Platform } from '../platform/platform.ts'
import { ensureIndexes } from '../platform/store/ensure-indexes.ts'
import { createBoardCa } from './board-ca.ts'
import { createBoardModels } from './board-models.ts'
import { createBrokerApi } from './hooks/broker-api.ts'
import { createBrokerHooks, type BrokerHooksDeps } from './hooks/broker-hooks.ts'
import { certificateEnd, hasCertificate } from './link/broker-certificate.ts'
import { createDeviceLink } from './link/device-link.ts'
import type { DeviceLinkOptions } from './link/link-options.ts'
import { createMqttLink } from './link/mqtt-client.ts'
import { createUnpairedBoards } from './link/unpaired-boards.ts'
import { createDeviceRegistry } from './registry/device-registry.ts'
import { createDeviceStore } from './registry/device-store.ts'
import { createLogRetention } from './reports/log-retention.ts'
import type { ReportNotice } from './reports/report-notice.ts'

export interface BoardsDeps extends BrokerHooksDeps, Pick<Platform, 'connection' | 'clock' | 'cluster' | 'isAlone'> {
  /** Replaces the broker that the settings name. */
  openLink?: DeviceLinkOptions['openLink'] | undefined
  boardDeadlineMs?: DeviceLinkOptions['boardDeadlineMs']
}

export type Boards = ReturnType<typeof createBoards>

/** Creates everything between this process and the boards: the link, the live records and the broker's hooks. */
export function createBoards(deps: BoardsDeps) {
  const { config, clock, cluster, events, log, metrics } = deps
  let links = 0
  const models = createBoardModels(deps.connection)
  const broker = createBrokerApi({ config, log })
  const closeConnection = (deviceId: string): void => void broker.closeConnection(deviceId)
  const store = createDeviceStore({
    ...models,
    clock,
    log,
    isClustered: !deps.isAlone,
    areOthersNotified: () => link.isSplit(),
    onQueue: (length) => metrics.storeQueue.set(length)
  })
  const registry = createDeviceRegistry({ ...models, unstoredState: store.unstoredState }, clock)
  const retention = createLogRetention({ ...models, days: config.ACTION_LOG_DAYS, clock, log })
  const listeners: ((device: LiveDevice, notice: ReportNotice) => void)[] = []
  const openMqtt: DeviceLinkOptions['openLink'] = (handlers) =>
    createMqttLink({
      url: config.MQTT_URL,
      caFile: config.MQTT_CA_FILE,
      // Each link has its own client id: with a shared one, a replacement would disconnect the current link before it is up.
      clientId: `api-${cluster.instance}-${(links += 1)}`,
      password: config.MQTT_SERVICE_PASSWORD,
      sharedGroup: handlers.isShared ? config.MQTT_SHARED_GROUP : undefined,
      log,
      ...handlers
    })
  const link = createDeviceLink({
    clock,
    registry,
    store,
    events,
    metrics,
    log,
    cluster,
    wantsShare: config.MQTT_SHARED_GROUP !== undefined,
    idPrefix: `${cluster.instance}-`,
    reportsPerSecond: config.LIMIT_REPORTS,
    logRowsPerMinute: config.LIMIT_LOG_ROWS,
    closeConnection,
    notifyScreens(device, notice) {
      for (const listener of listeners) listener(device, notice)
    },
    openLink: deps.openLink ?? openMqtt,
    boardDeadlineMs: deps.boardDeadlineMs
  })
  // In one process the broker ends with the api.
  const unpaired = deps.openLink === undefined ? createUnpairedBoards({ ...models, closeConnection, log }) : null
  const internal = createBrokerHooks({ ...deps, models, registry })
  const ca = createBoardCa({
    ...deps,
    incrementRevision: () =>
      models.devices.updateMany({ userId: { $ne: null } }, incrementRevision('config'), { updatePipeline: true }),
    refresh: registry.refreshAll
  })
  metrics.gauge('broker_link_up', 'Whether this process reaches the broker', () => (link.isUp() ? 1 : 0))
  if (hasCertificate(config.MQTT_URL))
    metrics.gauge(
      'broker_certificate_expires_at_seconds',
      "End of the broker's certificate, seconds since the epoch; NaN while the broker does not answer",
      remembered(clock, () => certificateEnd(config.MQTT_URL))
    )
  metrics.gauge(
    'cluster_devices_online',
    'Boards that are stored as online: the same at every instance, so take the maximum, not the sum',
    remembered(clock, registry.countOnline)
  )

  // Instances that did not make the change themselves learn of it here: their memory must not grant what has ended.
  events.on('address-blocked', ({ ip }) => broker.closeAllFrom(ip))
  events.on('device-released', ({ deviceId }) => link.forget(deviceId))
  events.on('account-deleted', ({ userId }) => link.forgetPerson(userId))
  for (const name of ['device-claimed', 'device-edited', 'switch-changed'] as const) {
    events.on(name, async ({ deviceId }) => void (await registry.refresh(deviceId)))
  }

  return {
    models,
    /** Live records of boards, loaded on first use. */
    directory: registry,
    store,
    link,
    /** The server for the broker's hooks, on an address of its own. */
    internal,
    closeConnection,
    /** The CAs that boards trust. */
    ca,
    /** Returns the ids of the boards that are connected from an address. */
    connectedFrom: broker.connectedFrom,
    /** Calls the listener for each accepted report, before it is stored. */
    onReport: (listener: (device: LiveDevice, notice: ReportNotice) => void): void => void listeners.push(listener),
    indexes: () => ensureIndexes(...Object.values(models)),
    async start() {
      const restored = await store.restoreStates()
      if (restored > 0) {
        log.info({ boards: restored }, 'states of boards were restored from the log')
        // The broker's hooks are already serving, and may have loaded boards before the restore.
        await registry.rereadAll()
      }
      if (deps.isAlone) await registry.readFew()
      retention.start()
      await ca.start()
      await link.start()
      unpaired?.start()
    },
    async stop() {
      unpaired?.stop()
      ca.stop()
      retention.stop()
      await link.stop()
      internal.closeAllConnections()
      await closeServer(internal)
    }
  }
}

const figureKeptMs = minuteMs

/** Caches a figure for up to a minute. */
function remembered(clock: Pick<Clock, 'monotonic'>, read: () => Promise<number>): () => Promise<number> {
  let last: { figure: Promise<number>; at: number } | undefined
  return () => {
    const at = clock.monotonic()
    if (last === undefined || at - last.at >= figureKeptMs) {
      const reading = { figure: read(), at }
      reading.figure.catch(() => last === reading && (last = undefined))
      last = reading
    }
    return last.figure
  }
}
