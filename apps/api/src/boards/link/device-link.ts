import {
  configUpdatePayload,
  type ChangeCause,
  type ConfigUpdatePayload,
  type FirmwareUpdatePayload,
  type SchedulesPayload
} from '@batti/contracts'
import type { Logger } from 'pino'
import { conflict } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import type { EventBus } from '../../platform/events.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import { createCommands } from '../commands/commands.ts'
import type { DeviceRegistry } from '../registry/device-registry.ts'
import type { DeviceStore } from '../registry/device-store.ts'
import type { CommandRequest, LiveDevice, SentCommand } from '../registry/live-device.ts'
import type { ReportNotice } from '../reports/record-report.ts'
import { createReports } from '../reports/reports.ts'
import { createDedupWindow } from '../reports/dedup-window.ts'
import type { Cluster } from '../../platform/cluster/cluster.ts'
import { listenToPeers } from '../peers/peer-ears.ts'
import { createPeers } from '../peers/peers.ts'
import { createBoardLimits } from './board-limits.ts'
import { createBoardMemory } from './board-memory.ts'
import { createBoardPresence } from './board-presence.ts'
import { createDownlink, type DownPayloads } from './downlink.ts'
import type { MqttLink } from './mqtt-client.ts'
import { createTakeMessage } from './take-message.ts'

export interface DeviceLinkOptions {
  clock: Clock
  registry: DeviceRegistry
  store: DeviceStore
  events: EventBus
  metrics: Metrics
  log: Logger
  idPrefix: string
  /** Reports a second of one board, with bursts of five times that; 0 turns it off. */
  reportsPerSecond: number
  /** Rows of the action log of one board a minute; 0 turns it off. */
  logRowsPerMinute: number
  /** `isShared`: boards' messages are split among the instances; else this one hears them all. */
  openLink(handlers: {
    onMessage(topic: string, payload: Buffer): void
    onPeer(payload: Buffer): void
    onUp(): void
    onDown(): void
    isShared: boolean
  }): MqttLink
  cluster: Cluster
  /** Whether the settings want boards' messages split, as long as instances can tell each other what they hear. */
  wantsShare: boolean
  /** Ends a board's connection now. */
  closeConnection(deviceId: string): void
  notifyScreens(device: LiveDevice, notice: ReportNotice): void
}

/** While boards owe answers; else it takes less to notice who has fallen silent, and a processor may sleep. */
const sweepMs = 100
const calmSweepMs = 500
const expiryMs = 60_000

/** Everything between this process and the boards: commands down, reports up, and who is there. */
export function createDeviceLink(options: DeviceLinkOptions) {
  const { clock, events, registry, store, metrics } = options
  const downlink = createDownlink(clock, { onTurn: () => peers.linkTurned() })
  const limits = createBoardLimits(clock, options)
  const { cluster, wantsShare } = options
  const peers = createPeers({ cluster, clock, isSplit: () => wantsShare && cluster.isUp(), downlink })
  const presence = createBoardPresence({ ...options, peers, leases: cluster.leases })
  const commands = createCommands({
    ...options,
    publish: (deviceId, command) => downlink.publish(deviceId, 'switch-update', command),
    onRefused: (deviceId) =>
      events.emit('command-ended', { deviceId, result: 'offline', tookMs: 0, sentAt: clock.now() }),
    onEnd(deviceId, result, tookMs) {
      if (result !== 'gone') events.emit('command-ended', { deviceId, result, tookMs, sentAt: clock.now() - tookMs })
      metrics.commands.inc({ outcome: result })
      if (result === 'confirmed') metrics.commandSeconds.observe(tookMs / 1000)
    }
  })
  const recent = createDedupWindow()
  const reports = createReports({
    ...options,
    commands,
    recent,
    mayLog: limits.mayLog,
    findCause: store.findCause,
    peers,
    // Where messages are split, another instance may have heard it come back.
    awayUntil: ({ connectedAt }) =>
      peers.isSplit() ? Infinity : Math.max(connectedAt ?? Infinity, downlink.upAt() ?? Infinity),
    ack: (deviceId, payload) => void downlink.tryPublish(deviceId, 'ack', payload),
    notify: options.notifyScreens
  })
  /** Too much of it ends the connection. */
  function wasWrong(deviceId: string): void {
    if (!limits.mayBeWrong(deviceId)) options.closeConnection(deviceId)
  }
  const takeMessage = createTakeMessage({ ...options, limits, presence, takeReport: reports.take, wasWrong })
  const takeFromPeer = listenToPeers({
    ...options,
    presence,
    commands,
    explain: reports.explain,
    wasTaken: reports.wasTaken,
    takeReport(device, report) {
      if (!reports.take(device, report)) wasWrong(device.id)
    }
  })
  const openLink = (): void => {
    const isShared = peers.isSplit()
    downlink.open((handlers) =>
      options.openLink({ ...handlers, isShared, onMessage: takeMessage, onPeer: takeFromPeer })
    )
  }
  /** Why a board takes no commands now, in a sentence. */
  const refusals: ((deviceId: string) => string | null)[] = []
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let expiry: NodeJS.Timeout | undefined

  function expireForgotten(): void {
    store
      .expireForgottenCommands(new Date(clock.now() - expiryMs))
      .catch((error: unknown) => options.log.warn({ err: error }, 'forgotten commands could not be ended'))
  }

  /** Of the whole installation: what others noted is in the database. */
  function countBoards(): void {
    registry
      .countOnline()
      .then((count) => metrics.onlineDevices.set(count))
      .catch((error: unknown) => options.log.warn({ err: error }, 'boards online could not be counted'))
  }

  function forgetBoard(device: LiveDevice): void {
    registry.forget(device.id)
    limits.forget(device.id)
    recent.forget(device.id)
    presence.forget(device)
    reports.forget(device.id)
  }
  const { forgetUnused, readAgain } = createBoardMemory({ registry, store, forgetBoard })

  /** To a board that is there it counts among the times that it gets a revision which it does not confirm. */
  function pushRevision<Name extends 'config-update' | 'schedules'>(
    deviceId: string,
    name: Name,
    payload: DownPayloads[Name]
  ): boolean {
    const isSent = downlink.tryPublish(deviceId, name, payload)
    const device = isSent ? registry.known(deviceId) : undefined
    if (device?.isOnline === true) presence.wasSent(device, name, payload.rev)
    return isSent
  }

  function sweep(): void {
    commands.sweep()
    presence.sweep(downlink.hearingSince())
    reports.sweep()
  }

  function sweepAndWait(): void {
    sweep()
    timer = setTimeout(sweepAndWait, commands.pendingCount() > 0 ? sweepMs : calmSweepMs)
  }

  return {
    async start(): Promise<void> {
      // Nobody waits for a figure: with a hundred thousand boards it takes a while.
      countBoards()
      await store.expireForgottenCommands(new Date(clock.now()))
      openLink()
      if (wantsShare)
        cluster.onTurn(() => {
          if (isStopped) return
          presence.turned()
          openLink()
        })
      sweepAndWait()
      // Those of an api that died a moment before this one started were still in time then.
      expiry = setInterval(() => {
        expireForgotten()
        forgetUnused()
        countBoards()
      }, expiryMs)
    },
    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      clearInterval(expiry)
      await store.drain()
      await downlink.stop()
    },
    isUp: downlink.isUp,
    /** Whether boards' messages are split among the instances now. */
    isSplit: peers.isSplit,
    /** A screen of this instance shows a board now, or no screen any more. */
    noteShown: peers.noteShown,
    /** Before a call is answered: see `ActiveCallers`. */
    catchUp: peers.catchUp,
    /** When the link to the broker was last established, by the monotonic clock; null while it is down. */
    upSince: downlink.upSince,
    /** @throws AppError DEVICE_OFFLINE, UNAVAILABLE, or CONFLICT while the board takes no commands. */
    send(request: CommandRequest, cause: ChangeCause): SentCommand {
      for (const whyNot of refusals) {
        const reason = whyNot(request.device.id)
        if (reason !== null) throw conflict(reason)
      }
      return commands.send(request, cause)
    },
    /** Commands are refused for as long as a reason is given. */
    refuseWhile: (whyNot: (deviceId: string) => string | null): void => void refusals.push(whyNot),
    pushConfig: (deviceId: string, payload: ConfigUpdatePayload): boolean =>
      pushRevision(deviceId, 'config-update', configUpdatePayload.parse(payload)),
    pushFirmware: (deviceId: string, payload: FirmwareUpdatePayload): boolean =>
      downlink.tryPublish(deviceId, 'firmware-update', payload),
    pushSchedules: (deviceId: string, payload: SchedulesPayload): boolean =>
      pushRevision(deviceId, 'schedules', payload),
    /** A board that is gone for good: nothing of it stays in memory. */
    forget(deviceId: string): void {
      const device = registry.peek(deviceId)
      if (device?.isOnline === true) metrics.onlineDevices.dec()
      if (device !== undefined) forgetBoard(device)
      commands.forget(deviceId)
    },
    forgetPerson: commands.forgetPerson,
    /** For whole-system tests and a controlled clock. */
    sweep,
    forgetUnused,
    readAgain
  }
}
