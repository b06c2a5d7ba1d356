import { systemClock } from '@batti/kit/clock'
import type { Server } from 'node:http'
import type { Boards } from '../boards/boards.ts'
import { maySeeDevice } from '../boards/device.policy.ts'
import type { LiveDevice } from '../boards/registry/live-device.ts'
import type { Feature } from '../platform/feature.ts'
import { openAddressFilter, type AddressFilter } from '../platform/http/addresses/address-filter.ts'
import { staffMay, type Actor } from '../platform/people/actor.ts'
import type { Platform } from '../platform/platform.ts'
import { createCatchUp } from './catch-up.ts'
import { joinThroughMongo, joinThroughRedis } from './cluster.ts'
import { deviceRoom, macOfRoom, switchUpdateOf } from './device-events.ts'
import { createRefuseEvent } from './socket-answers.ts'
import { createRevocationWatch } from './revocation-watch.ts'
import { createSocketRooms } from './socket-rooms.ts'
import { checkAllAgain } from './socket-entitlement.ts'
import { createSocketServer } from './socket-server.ts'
import type { SocketServerOptions } from './socket-options.ts'

interface RealtimeDeps extends Pick<
  Platform,
  'config' | 'connection' | 'clock' | 'cluster' | 'events' | 'log' | 'metrics'
> {
  features: readonly Feature[]
  boards: Pick<Boards, 'directory' | 'link' | 'onReport'>
  devices: { describe: Parameters<typeof createCatchUp>[0]['describe'] }
  sessions: {
    now(): number
    authenticateSocket(token: string): Promise<Actor>
    whoStays(actors: readonly Actor[]): Promise<Map<string, Actor>>
  }
  web: { server: Server } & Pick<SocketServerOptions, 'clientAddress' | 'isOwnHost' | 'isOwnPage'>
  addressFilter?: AddressFilter | undefined
}

/** How often revocations are looked up while others cannot announce them, or may have failed to: then of all boards in memory. */
const [lookEveryMs, lookAtAllEveryMs] = [1000, 5000]

const maySeeFleet = (actor: Actor): boolean => staffMay(actor, 'view devices')

/** Creates the sockets on the public server: which screens are connected, and which events each receives. */
export function createRealtime(deps: RealtimeDeps) {
  const { config, connection, clock, events, log, metrics, features, boards, sessions, web } = deps
  const options: SocketServerOptions = {
    http: web.server,
    events,
    log,
    metrics,
    limits: {
      commandsPerSecond: config.LIMIT_COMMANDS,
      joinsPerMinute: config.LIMIT_JOINS,
      sockets: config.LIMIT_SOCKETS
    },
    clientAddress: web.clientAddress,
    isOwnHost: web.isOwnHost,
    isOwnPage: web.isOwnPage,
    monotonic: clock.monotonic,
    isBlocked: (deps.addressFilter ?? openAddressFilter).isBlocked,
    authenticate: sessions.authenticateSocket,
    whoStays: sessions.whoStays,
    maySeeFleet,
    maySee: async (actor, mac) => {
      const device = await boards.directory.findByMac(mac)
      return device !== null && maySeeDevice(actor, device)
    },
    timers: { ...systemClock, now: sessions.now },
    listeners: [
      createSocketRooms({
        directory: boards.directory,
        maySee: maySeeDevice,
        maySeeFleet,
        refuse: createRefuseEvent(events)
      }),
      ...features.flatMap(({ sockets = [] }) => sockets)
    ]
  }
  const io = createSocketServer(options)
  // Every instance receives every board's events, directly or from others, so each emits to its local sockets only.
  const isShown = (mac: string): boolean => io.sockets.adapter.rooms.has(deviceRoom(mac))
  boards.onReport((device, notice) => {
    // Skipped for an empty room: socket.io would encode the event all the same.
    if (isShown(device.mac)) io.local.to(deviceRoom(device.mac)).emit('switch-update', switchUpdateOf(device, notice))
  })

  boards.directory.keepWhile(({ mac }) => isShown(mac))

  // MongoDB's adapter does not say that messages were lost, after which Redis drops from memory what nobody looks at.
  const areLossesTold = config.CLUSTER_ADAPTER !== 'mongo'
  const revocations = createRevocationWatch({
    areOthersHeard: deps.cluster.isUp,
    lookEveryMs: areLossesTold ? lookEveryMs : lookAtAllEveryMs,
    async look() {
      const here = new Set([...io.sockets.sockets.values()].map(({ data }) => data.actor.userId))
      const isLookedAt = ({ mac, userId }: Pick<LiveDevice, 'mac' | 'userId'>): boolean =>
        isShown(mac) || (userId !== null && here.has(userId))
      await boards.link.rereadKnown((device) => !areLossesTold || isLookedAt(device))
      await checkAllAgain(io, options)
    },
    log
  })
  const catchUp = createCatchUp({
    io,
    log,
    readAgain: boards.link.readAgain,
    describe: deps.devices.describe,
    checkSockets: () => checkAllAgain(io, options).catch(revocations.owe),
    now: clock.now
  })
  // While this instance had no link, as before its start, others heard the boards and acknowledged their reports.
  if (config.CLUSTER_ADAPTER !== 'none') boards.link.onBack(() => (boards.link.isSplit() ? undefined : catchUp()))

  function noteShown(room: string, isOpen: boolean): void {
    const mac = macOfRoom(room)
    if (mac !== undefined) boards.link.noteShown(mac, isOpen)
  }

  return {
    async start() {
      if (config.CLUSTER_ADAPTER === 'mongo') await joinThroughMongo({ io, connection, events, log })
      joinThroughRedis(deps)
      if (config.CLUSTER_ADAPTER !== 'none') revocations.start()
      io.sockets.adapter.on('create-room', (room: string) => noteShown(room, true))
      io.sockets.adapter.on('delete-room', (room: string) => noteShown(room, false))
      deps.cluster.onMissed(catchUp)
      // When the line breaks: an event that another instance sent at that very moment is in the database already.
      deps.cluster.onTurn((isUp) => (isUp ? undefined : catchUp()))
    },
    stop() {
      revocations.stop()
      // Closes like a broken line: clients that the server disconnects explicitly do not reconnect by themselves.
      io.engine.close()
    }
  }
}
