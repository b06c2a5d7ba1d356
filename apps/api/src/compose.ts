import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createBoards, type BoardsDeps } from './boards/boards.ts'
import { createAccountsFeature } from './features/accounts/feature.ts'
import type { AccountLimits } from './features/accounts/limits.ts'
import { createPeople } from './features/accounts/people.ts'
import { createActionLogsFeature } from './features/action-logs/feature.ts'
import { createAuditFeature } from './features/audit/feature.ts'
import { createDeviceClaimsFeature } from './features/device-claims/feature.ts'
import { createDeviceTypesFeature } from './features/device-types/feature.ts'
import { createDevicesFeature } from './features/devices/feature.ts'
import { createFirmwareFeature } from './features/firmware/feature.ts'
import { createFleetFeature } from './features/fleet/feature.ts'
import { createListColumnsFeature } from './features/list-columns/feature.ts'
import { createMonitorsFeature } from './features/monitors/feature.ts'
import { createOverviewFeature } from './features/overview/feature.ts'
import { createRolloutsFeature } from './features/rollouts/feature.ts'
import { createRoomsFeature } from './features/rooms/feature.ts'
import { createSchedulesFeature } from './features/schedules/feature.ts'
import { createSearchFeature } from './features/search/feature.ts'
import { createSessionsFeature } from './features/sessions/feature.ts'
import { createSwitchesFeature } from './features/switches/feature.ts'
import { createUnauthorizedLogsFeature } from './features/unauthorized-logs/feature.ts'
import { createAddressBook } from './features/unauthorized-logs/address-book.ts'
import { createUsersFeature } from './features/users/feature.ts'
import type { Feature } from './platform/feature.ts'
import { addressForBoards } from './platform/http/addresses/own-address.ts'
import { createMetricsServer } from './platform/http/metrics-server.ts'
import { createWebServer } from './platform/http/web-server.ts'
import { createPlatform, type PlatformParts } from './platform/platform.ts'
import { createDatabaseClock } from './platform/store/database-clock.ts'
import { makeIndexes } from './platform/store/database.ts'
import { hasRoomFor } from './platform/store/files/disk-room.ts'
import { retryWhileStarting } from './platform/store/retry-while-starting.ts'
import { createRealtime } from './realtime/realtime.ts'
import { prepareDatabase } from './upkeep/prepare-database.ts'
import { createResealing } from './upkeep/reseal.ts'
import { createFileSettling } from './upkeep/settle-files.ts'

/** Replaces what the settings name. Used by tests whose providers fail, whose boards are in memory, or who control the clock. */
export interface Overrides
  extends
    Pick<PlatformParts, 'mailSender' | 'smsSender' | 'otherInstances' | 'isShared' | 'databaseDeadlineMs'>,
    Pick<BoardsDeps, 'openLink' | 'boardDeadlineMs'> {
  accountLimits?: Partial<AccountLimits>
  firesByHand?: boolean
  databaseTime?: () => number
}

export type Product = Awaited<ReturnType<typeof compose>>

/**
 * Creates every part and passes it its dependencies, in order of dependency; the only file that does. Nothing listens yet.
 * @throws when the database cannot be reached.
 */
export async function compose(parts: Pick<PlatformParts, 'config' | 'clock' | 'log'> & { overrides?: Overrides }) {
  const { overrides = {} } = parts
  const features: Feature[] = []
  const add = <Made extends Feature>(made: Made): Made => {
    features.push(made)
    return made
  }
  let isStopping = false

  const { platform } = add(await createPlatform({ ...parts, ...overrides }))
  const { audit } = add(createAuditFeature(platform))
  const unauthorizedLogs = add(createUnauthorizedLogsFeature({ ...platform, audit }))
  const boards = add(
    createBoards({
      ...platform,
      ...overrides,
      addressFilter: unauthorizedLogs.addressFilter,
      passwordMarks:
        parts.config.NODE_ENV === 'production'
          ? undefined
          : (emails): Promise<Map<string, string>> => people.passwordMarks(emails)
    })
  )
  const { columns, ...listColumns } = add(createListColumnsFeature({ ...platform, boards }))
  const people = add(createPeople({ ...platform, columns }))
  // In a home both have one clock.
  const databaseClock = platform.isAlone ? null : add(createDatabaseClock({ ...platform, ...overrides }))
  // What one instance issues or counts, others judge.
  const clock = databaseClock === null ? platform.clock : { ...platform.clock, now: databaseClock.now }
  const ofAll = { ...platform, clock, limits: platform.limitsBy(clock) }
  const sessions = add(createSessionsFeature({ ...ofAll, audit, people }))
  unauthorizedLogs.askAt(createAddressBook({ boards, people, sessions }))
  const accounts = add(createAccountsFeature({ ...ofAll, ...overrides, audit, people, sessions }))
  const rooms = add(createRoomsFeature({ ...platform, audit, columns, boards, people, accounts }))
  const deviceTypes = add(createDeviceTypesFeature({ ...platform, audit, boards }))
  const switches = add(createSwitchesFeature({ ...platform, audit, columns, boards, rooms }))
  const devices = add(
    createDevicesFeature({ ...platform, audit, columns, boards, people, accounts, rooms, switches, deviceTypes })
  )
  add(createDeviceClaimsFeature({ ...ofAll, boards, devices, people, accounts }))
  const { isKnownModel } = deviceTypes
  const firmware = add(createFirmwareFeature({ ...platform, audit, boards, isKnownModel }))
  const rollouts = add(
    createRolloutsFeature({
      ...platform,
      ...overrides,
      audit,
      boards,
      firmware,
      devices,
      rooms,
      baseUrl: () => addressForBoards(platform.config, web.server)
    })
  )
  const schedules = add(
    createSchedulesFeature({ ...platform, ...overrides, audit, columns, boards, people, accounts, devices, switches })
  )
  const actionLogs = add(createActionLogsFeature({ ...platform, audit, boards, people, accounts, switches }))
  add(createUsersFeature({ audit, people, accounts, sessions, boards, rooms, schedules }))
  const fleet = add(createFleetFeature({ ...platform, boards, people, unauthorizedLogs, firmware }))
  add(createSearchFeature({ accounts, devices }))
  add(createMonitorsFeature({ audit, accounts, people }))
  add(
    createOverviewFeature({
      columns,
      boards,
      people,
      rooms,
      switches,
      deviceTypes,
      schedules,
      actionLogs,
      unauthorizedLogs
    })
  )

  const checks = { broker: () => boards.link.isUp(), store: () => boards.store.isHealthy() }
  const web = add(
    createWebServer({
      ...platform,
      features,
      sessions,
      boards,
      checks,
      optionalChecks: {
        ...(parts.config.CLUSTER_ADAPTER === 'redis' ? { redis: () => platform.cluster.isUp() } : {}),
        ...(databaseClock === null ? {} : { clock: databaseClock.isRight }),
        disk: () => hasRoomFor(parts.config.dataDir, 0)
      },
      addressFilter: unauthorizedLogs.addressFilter,
      isStopping: () => isStopping
    })
  )
  add(createResealing(platform))
  add(createFileSettling(platform))
  add(
    createRealtime({
      ...platform,
      features,
      boards,
      devices,
      sessions,
      web,
      addressFilter: unauthorizedLogs.addressFilter
    })
  )

  const metricsServer = createMetricsServer(platform.metrics)

  return {
    /** The public server: REST, sockets and the web app. */
    http: web.server satisfies Server,
    /** The server for the broker's hooks, on an address of its own. */
    internal: boards.internal,
    /** The server for Prometheus metrics, on an address of its own. */
    metrics: metricsServer,
    /** The parts that tests reach for, to drive a clock or a test double. */
    parts: { platform, features, boards, accounts, schedules, unauthorizedLogs, fleet, rollouts, listColumns },
    async start() {
      await retryWhileStarting(() => prepareDatabase(platform), platform.log)
      // One feature after the other: built all at once, indexes would queue behind each other beyond the deadline of a call.
      for (const { indexes } of features) await retryWhileStarting(() => indexes && makeIndexes(indexes), platform.log)
      for (const feature of features) await retryWhileStarting(() => feature.start?.(), platform.log)
    },
    /** Turns readiness red and keeps serving until the load balancer has noticed. */
    async drain() {
      isStopping = true
      await wait(parts.config.DRAIN_MS)
    },
    async stop() {
      isStopping = true
      for (const feature of features.toReversed()) {
        try {
          await feature.stop?.()
        } catch (error) {
          platform.log.error({ err: error }, 'a part could not stop; the others still do')
        }
      }
      metricsServer.close()
      metricsServer.closeAllConnections()
    }
  }
}
