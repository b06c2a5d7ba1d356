import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Connection } from 'mongoose'
import type { Logger } from 'pino'
import type { Clock } from '../platform/clock.ts'
import { brokerForBoards, type Config } from '../platform/config.ts'
import { createCommandModel } from '../boards/commands/command.model.ts'
import { createDeviceLink } from '../boards/link/device-link.ts'
import { createDeviceRegistry } from '../boards/registry/device-registry.ts'
import { createDeviceStore } from '../boards/registry/device-store.ts'
import { createMqttLink } from '../boards/link/mqtt-client.ts'
import type { ToldReport } from '../boards/reports/reports.ts'
import type { EventBus } from '../platform/events.ts'
import { createActionLogModel } from '../features/action-logs/action-log.model.ts'
import { createDeviceAuthService } from '../features/device-claims/device-auth.service.ts'
import { createDeviceClaimModel } from '../features/device-claims/device-claim.model.ts'
import { createDeviceClaimsRepository } from '../features/device-claims/device-claims.repository.ts'
import { deviceClaimRoutes } from '../features/device-claims/device-claims.routes.ts'
import { createDeviceClaimsService } from '../features/device-claims/device-claims.service.ts'
import { createDeviceTypeModel } from '../features/device-types/device-type.model.ts'
import { createDeviceTypesRepository } from '../features/device-types/device-types.repository.ts'
import { createClaimableBoards } from '../features/devices/claimable-boards.ts'
import { createDeviceModel, type DeviceDocument } from '../features/devices/device.model.ts'
import { mayControlDevice, maySeeDevice } from '../features/devices/devices.policy.ts'
import { createDevicesRepository } from '../features/devices/devices.repository.ts'
import { deviceRoutes } from '../features/devices/devices.routes.ts'
import { createDevicesService } from '../features/devices/devices.service.ts'
import { createCommandSwitches } from '../features/switches/command-switches.ts'
import { createSwitchModel } from '../features/switches/switch.model.ts'
import { createSwitchesRepository } from '../features/switches/switches.repository.ts'
import { switchRoutes } from '../features/switches/switches.routes.ts'
import { createSwitchesService } from '../features/switches/switches.service.ts'
import type { Metrics } from '../platform/http/metrics.ts'
import type { DeviceDirectory } from '../boards/registry/device-directory.ts'
import type { LiveDevice } from '../boards/registry/live-device.ts'
import { createSecretBox } from '../platform/store/secret-box.ts'

export interface DeviceModels {
  devices: ReturnType<typeof createDeviceModel>
  switches: ReturnType<typeof createSwitchModel>
  deviceTypes: ReturnType<typeof createDeviceTypeModel>
  actionLogs: ReturnType<typeof createActionLogModel>
  commands: ReturnType<typeof createCommandModel>
  claims: ReturnType<typeof createDeviceClaimModel>
}

export function createDeviceModels(connection: Connection, config: Config): DeviceModels {
  return {
    devices: createDeviceModel(connection),
    switches: createSwitchModel(connection),
    deviceTypes: createDeviceTypeModel(connection),
    actionLogs: createActionLogModel(connection, config.ACTION_LOG_DAYS),
    commands: createCommandModel(connection),
    claims: createDeviceClaimModel(connection)
  }
}

export async function ensureDeviceIndexes(models: DeviceModels): Promise<void> {
  const { devices, switches, deviceTypes, actionLogs, commands, claims } = models
  await Promise.all([
    devices.createIndexes(),
    switches.createIndexes(),
    deviceTypes.createIndexes(),
    actionLogs.createIndexes(),
    commands.createIndexes(),
    claims.createIndexes()
  ])
}

export interface LinkParts {
  config: Config
  clock: Clock
  events: EventBus
  log: Logger
  metrics: Metrics
  models: DeviceModels
  closeConnection(deviceId: string): void
  tellScreens(device: LiveDevice, told: ToldReport): void
}

/** What stands between this process and the boards. */
export function composeDeviceLink({
  config,
  clock,
  events,
  log,
  metrics,
  models,
  closeConnection,
  tellScreens
}: LinkParts) {
  const registry = createDeviceRegistry(models)
  const store = createDeviceStore({
    ...models,
    log,
    isShared: config.CLUSTER_ADAPTER === 'mongo',
    onQueue: (length) => metrics.storeQueue.set(length)
  })
  const instance = randomBytes(4).toString('hex')
  const link = createDeviceLink({
    clock,
    registry,
    store,
    events,
    metrics,
    log,
    idPrefix: `${instance}-`,
    reportsPerSecond: config.LIMIT_REPORTS,
    closeConnection,
    tellScreens,
    openLink: (handlers) =>
      createMqttLink({
        url: config.MQTT_URL,
        caFile: config.MQTT_CA_FILE,
        clientId: `api-${instance}`,
        password: config.MQTT_SERVICE_PASSWORD,
        sharedGroup: config.MQTT_SHARED_GROUP,
        log,
        ...handlers
      })
  })
  const directory: DeviceDirectory = registry
  return { registry, store, link, directory }
}

export interface DevicesParts {
  config: Config
  clock: Clock
  events: EventBus
  log: Logger
  models: DeviceModels
  deviceLink: ReturnType<typeof composeDeviceLink>
  closeConnection(deviceId: string): void
  findRooms(ids: readonly string[]): Promise<Map<string, { _id: string; roomName: string; userId: string }>>
  findOwners(
    ids: readonly string[]
  ): Promise<Map<string, { _id: string; name: string; email?: string; phone?: string | null }>>
  deleteSchedulesOfDevice(deviceId: string): Promise<void>
  deleteSchedulesOfSwitch(switchId: string): Promise<void>
}

/** Boards, their switches, and how they are paired. */
export function composeDevices(parts: DevicesParts) {
  const { config, clock, events, log, models, findRooms, findOwners } = parts
  const { registry, link, directory } = parts.deviceLink
  const devicesRepository = createDevicesRepository(models.devices)
  const switchesRepository = createSwitchesRepository(models.switches)
  const typesRepository = createDeviceTypesRepository(models.deviceTypes)
  const claimsRepository = createDeviceClaimsRepository(models.claims)
  const createSwitches = (device: DeviceDocument): Promise<void> =>
    switchesRepository.insertMissing(device._id, device.switch.length)

  const devices = createDevicesService({
    devices: devicesRepository,
    clock,
    events,
    secrets: createSecretBox({ key: config.DATA_KEY, previousKeys: config.DATA_KEY_PREVIOUS }),
    peek: registry.peek,
    refreshLive: registry.refresh,
    forgetLive: link.forget,
    pushConfig: link.pushConfig,
    closeConnection: parts.closeConnection,
    findRooms,
    findOwners,
    findTypes: typesRepository.findByCodes,
    createSwitches,
    deleteSwitches: async (deviceId) => void (await switchesRepository.deleteByDevice(deviceId)),
    deleteSchedules: parts.deleteSchedulesOfDevice
  })
  const commandSwitches = createCommandSwitches({ send: link.send, maySee: maySeeDevice, mayControl: mayControlDevice })
  const switches = createSwitchesService({
    switches: switchesRepository,
    directory,
    commandSwitches,
    events,
    refreshLive: registry.refresh,
    findRooms,
    findDeviceIdsByName: devicesRepository.findIdsByName,
    deleteSchedulesOfSwitch: parts.deleteSchedulesOfSwitch
  })
  const claims = createDeviceClaimsService({
    claims: claimsRepository,
    clock,
    events,
    claimsPerMinute: config.LIMIT_CLAIMS
  })
  const authenticateDevice = createDeviceAuthService({
    claims: claimsRepository,
    progress: claims,
    clock,
    events,
    log,
    allowLegacyPairing: config.ALLOW_LEGACY_PAIRING,
    refusalsPerMinute: config.LIMIT_DEVICE_REFUSALS,
    mqtt: {
      ...brokerForBoards(config),
      caPem: config.MQTT_CA_FILE === undefined ? '' : readFileSync(config.MQTT_CA_FILE, 'utf8')
    },
    boards: createClaimableBoards({
      devices: devicesRepository,
      findType: typesRepository.findByCodeAndModel,
      createSwitches,
      refreshLive: registry.refresh
    })
  })

  // An instance that did not make the change itself hears of it here: its memory must not grant what has ended.
  events.on('device-released', ({ deviceId }) => link.forget(deviceId))
  for (const name of ['device-claimed', 'device-edited', 'switch-changed'] as const) {
    events.on(name, async ({ deviceId }) => void (await registry.refresh(deviceId)))
  }
  events.on('device-online', ({ deviceId }) => claims.markOnline(deviceId))
  events.on('device-behind', ({ deviceId, config: isConfig }) =>
    isConfig ? devices.resendConfig(deviceId) : undefined
  )
  let sweeping: NodeJS.Timeout | undefined

  return {
    handlers: [
      ...deviceRoutes({ devices }),
      ...switchRoutes({ switches }),
      ...deviceClaimRoutes({ claims, authenticateDevice })
    ],
    commandSwitches,
    locateSwitch: switches.locate,
    devicesRepository,
    typesRepository,
    /** Unclaims every board of a leaving account. */
    async releaseAllOf(userId: string): Promise<void> {
      await devices.releaseAllOf(userId)
      await claims.deleteOfUser(userId)
    },
    async start(): Promise<void> {
      await typesRepository.seedWhenEmpty()
      sweeping = setInterval(
        () => void claims.sweepExpired().catch((error: unknown) => log.warn({ err: error }, 'pairings were not swept')),
        5000
      )
    },
    stop(): void {
      clearInterval(sweeping)
    }
  }
}
