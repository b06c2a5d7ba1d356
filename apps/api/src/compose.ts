import { createServer, type Server } from 'node:http'
import { resolve } from 'node:path'
import type { Connection } from 'mongoose'
import type { Logger } from 'pino'
import { isStaff, staffMay } from './platform/people/actor.ts'
import { createApp } from './platform/http/app.ts'
import type { Clock } from './platform/clock.ts'
import { composeAccounts } from './compose/accounts.ts'
import { composeDeviceLink, composeDevices, createDeviceModels, ensureDeviceIndexes } from './compose/devices.ts'
import { composeHome } from './compose/home.ts'
import { brokerForBoards, type Config } from './platform/config.ts'
import { createEventBus } from './platform/events.ts'
import { createFirmwareFeature } from './features/firmware/feature.ts'
import { maySeeDevice } from './features/devices/devices.policy.ts'
import { clientAddress, requestedHost, type TrustProxy } from './platform/http/client-address.ts'
import { createOwnHosts } from './platform/http/own-hosts.ts'
import { docsPages } from './platform/http/docs-pages.ts'
import { healthPages } from './platform/http/health-pages.ts'
import { createMetrics } from './platform/http/metrics.ts'
import { webPages } from './platform/http/web-pages.ts'
import { createBrokerApi } from './boards/hooks/broker-api.ts'
import { createInternalApp } from './boards/hooks/internal-app.ts'
import { createMqttAuth } from './boards/hooks/mqtt-auth.ts'
import { joinCluster } from './realtime/cluster.ts'
import { deviceRoom, switchUpdateOf } from './realtime/device-events.ts'
import { createSocketCommands } from './realtime/socket-commands.ts'
import { createSocketRooms } from './realtime/socket-rooms.ts'
import { createSocketServer, noteRefusal, type BattiServer } from './realtime/socket-server.ts'
import { connectDatabase, pingDatabase } from './platform/store/database.ts'

export interface Product {
  /** The public server: REST, sockets, the web app. */
  http: Server
  /** The broker's hooks, on an address of their own. */
  internal: Server
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * Makes every part and hands them to each other; the only file that does. Nothing listens yet.
 * @throws when the database cannot be reached.
 */
export async function compose(parts: { config: Config; clock: Clock; log: Logger }): Promise<Product> {
  const { config, clock, log } = parts
  const connection: Connection = await connectDatabase(config.MONGODB_URI)
  const events = createEventBus(log)
  const metrics = createMetrics()
  const broker = createBrokerApi({ url: config.BROKER_API_URL, secret: config.INTERNAL_SECRET, log })
  const closeConnection = (deviceId: string): void => void broker.closeConnection(deviceId)
  const isOwnHost = createOwnHosts({ publicUrl: config.PUBLIC_URL, host: config.HOST, allowed: config.ALLOWED_HOSTS })
  let isStopping = false

  const models = createDeviceModels(connection, config)
  const deviceLink = composeDeviceLink({
    config,
    clock,
    events,
    log,
    metrics,
    models,
    closeConnection,
    // Every instance hears every board, so each tells its own screens.
    tellScreens: (device, told) =>
      void io.local.to(deviceRoom(device.mac)).emit('switch-update', switchUpdateOf(device, told))
  })
  const accounts = composeAccounts({
    config,
    connection,
    clock,
    events,
    log,
    metrics,
    countHomesOf: (userIds) => home.countHomesOf(userIds),
    eraseHomeOf: async (userId) => {
      await devices.releaseAllOf(userId)
      await home.eraseOfUser(userId)
    }
  })
  const home = composeHome({
    connection,
    clock,
    events,
    log,
    models,
    deviceLink,
    findPeople: accounts.findOwners,
    searchPeople: accounts.searchPeople,
    storeImage: async (file) => accounts.imageUrl(await accounts.storeImage(file.buffer ?? Buffer.alloc(0))),
    removeImage: (url) => accounts.removeImage(url),
    countUsers: accounts.countUsers,
    countMonitors: accounts.countMonitors,
    countUnauthorizedLogs: accounts.countUnauthorizedLogs
  })
  const devices = composeDevices({
    config,
    clock,
    events,
    log,
    models,
    deviceLink,
    closeConnection,
    findRooms: home.findRooms,
    findOwners: accounts.findOwners,
    deleteSchedulesOfDevice: home.deleteSchedulesOfDevice,
    deleteSchedulesOfSwitch: home.deleteSchedulesOfSwitch
  })
  events.on('board-coveted', ({ userId, boardName }) =>
    accounts.notify(userId, 'board-claimed-again', { target: boardName })
  )
  const firmware = createFirmwareFeature({
    config,
    connection,
    clock,
    log,
    storage: accounts.files,
    isKnownModel: async (hwModel) => (await models.deviceTypes.exists({ hwModel })) !== null,
    isInUse: () => Promise.resolve(false)
  })
  const handlers = [...accounts.handlers, ...home.handlers, ...devices.handlers, ...firmware.routes]
  const app = createApp({
    log,
    metrics,
    handlers,
    authenticate: accounts.authenticate,
    uploads: accounts.uploads,
    isOwnHost,
    addressGuard: accounts.addressGuard,
    onRefused: accounts.recordRefusal,
    trustProxy: config.TRUST_PROXY,
    corsOrigins: config.CORS_ORIGINS,
    https: config.PUBLIC_URL?.startsWith('https:') ?? false,
    pages: [
      healthPages({
        metrics,
        checks: {
          database: () => pingDatabase(connection),
          broker: () => deviceLink.link.isUp(),
          store: () => deviceLink.store.isHealthy()
        },
        isStopping: () => isStopping
      }),
      ...accounts.pages,
      ...firmware.pages,
      docsPages({ referenceDir: resolve(repositoryDir, 'docs/reference') }),
      webPages({
        webDir: resolve(config.WEB_DIR ?? resolve(repositoryDir, 'apps/web/dist')),
        brand: config.BRAND,
        mqtt: brokerForBoards(config)
      })
    ]
  })
  const http = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000, connectionsCheckingInterval: 2000 },
    app
  )
  http.maxConnections = 20_000

  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what Express compiles the setting `trust proxy` to
  const trust = app.get('trust proxy fn') as TrustProxy
  const onSocketRefused = noteRefusal(accounts.recordRefusal)
  const io: BattiServer = createSocketServer({
    http,
    events,
    log,
    metrics,
    limits: { commandsPerSecond: config.LIMIT_COMMANDS, joinsPerMinute: config.LIMIT_JOINS },
    corsOrigins: config.CORS_ORIGINS,
    isOwnHost: (request) => isOwnHost(requestedHost(request, trust)),
    clientAddress: (request) => clientAddress(request, trust),
    monotonic: clock.monotonic,
    isBlocked: accounts.isBlocked,
    authenticate: accounts.authenticateSocket,
    onRefused: accounts.recordRefusal,
    maySeeAnyDevice: (actor) => !isStaff(actor) || staffMay(actor, 'view devices') || staffMay(actor, 'view switches'),
    listeners: [
      createSocketRooms({ directory: deviceLink.directory, maySee: maySeeDevice, onRefused: onSocketRefused }),
      createSocketCommands({
        directory: deviceLink.directory,
        commandSwitches: devices.commandSwitches,
        locateSwitch: devices.locateSwitch,
        onRefused: onSocketRefused
      })
    ]
  })

  const internal = createServer(
    createInternalApp({
      secret: config.INTERNAL_SECRET,
      log,
      readOutbox: accounts.readOutbox,
      answerMqttAuth: createMqttAuth({
        servicePassword: config.MQTT_SERVICE_PASSWORD,
        serviceNetworks: config.MQTT_SERVICE_NETWORKS,
        findCredential: devices.devicesRepository.findCredential,
        promoteCredential: devices.devicesRepository.promoteCredential,
        load: deviceLink.registry.find,
        isBlocked: accounts.isBlocked,
        onRefused: accounts.recordRefusal
      }),
      onMqttRefused: ({ peerhost, topic, clientid }) =>
        accounts.recordRefusal({ ip: peerhost, method: 'MQTT', url: topic, userAgent: clientid.slice(0, 64) })
    })
  )

  return {
    http,
    internal,
    async start() {
      await Promise.all([
        ensureDeviceIndexes(models),
        accounts.ensureIndexes(),
        home.ensureIndexes(),
        firmware.indexes()
      ])
      if (config.CLUSTER_ADAPTER === 'mongo') await joinCluster({ io, connection, events, log })
      await accounts.start()
      await devices.start()
      await deviceLink.link.start()
      await home.start()
    },
    async stop() {
      // Readiness turns red first; what is under way still gets its answer.
      isStopping = true
      await home.stop()
      devices.stop()
      io.disconnectSockets(true)
      io.engine.close()
      http.closeIdleConnections()
      await closeServer(http)
      await deviceLink.link.stop()
      internal.closeAllConnections()
      await closeServer(internal)
      await accounts.stop()
      await connection.close()
    }
  }
}

const repositoryDir = resolve(import.meta.dirname, '../../..')

/** Resolves when the server has stopped; one that is not listening has stopped already. */
function closeServer(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done())
    setTimeout(() => server.closeAllConnections(), 3000).unref()
  })
}
