import { withStates, type DeviceReport } from '@batti/contracts'
import type { Clock } from '@batti/kit/clock'
import { parseJson } from '@batti/kit/json'
import type { Logger } from 'pino'
import type { Cluster } from '../../platform/cluster/cluster.ts'
import type { EventBus } from '../../platform/events.ts'
import type { Commands } from '../commands/commands.ts'
import type { BoardPresence } from '../link/board-presence.ts'
import type { DeviceRegistry } from '../registry/device-registry.ts'
import { isNewerReport, type LiveDevice } from '../registry/live-device.ts'
import type { ReportNotice } from '../reports/report-notice.ts'
import {
  presenceTaken,
  reportExplained,
  reportHandedOver,
  reportTaken,
  signalTaken,
  type PresenceTaken,
  type ReportTaken
} from './peer-messages.ts'
import { noticeOf } from './peer-publisher.ts'
import { createUnreadBoards } from './unread-boards.ts'

/** How many overtaken answers are remembered, because the same answer may also arrive from another instance. */
const overtakenRemembered = 1000

/**
 * Applies what other instances received from boards: updates this memory, and notifies local screens once. A report that is
 * not newer than the known state was handled before, unless it answers a command. Returns the handler for messages that come
 * through the broker.
 */
export function listenToPeers(deps: {
  cluster: Cluster
  registry: Pick<DeviceRegistry, 'known' | 'find' | 'onLoad'>
  clock: Pick<Clock, 'monotonic'>
  presence: Pick<BoardPresence, 'adopt' | 'heardElsewhere' | 'know' | 'setOnline'>
  commands: Pick<Commands, 'settle'>
  explain(deviceId: string, indexes: readonly number[]): void
  takeReport(device: LiveDevice, report: unknown, arrivedAt: number | undefined): void
  /** Whether this process received that report itself. */
  wasTaken(deviceId: string, report: ReportTaken['report']): boolean
  notifyScreens(device: LiveDevice, notice: ReportNotice): void
  events: EventBus
  log: Logger
}): (payload: Buffer) => void {
  const { cluster, registry, presence, events } = deps
  const overtaken = new Set<string>()
  const unread = createUnreadBoards(deps.clock)

  function isFirst(message: ReportTaken): boolean {
    const key = `${message.id}:${message.report.bootId}:${message.report.seq}`
    if (overtaken.has(key)) return false
    overtaken.add(key)
    for (const oldest of overtaken) {
      if (overtaken.size <= overtakenRemembered) break
      overtaken.delete(oldest)
    }
    return true
  }

  function followReport(device: LiveDevice, message: ReportTaken): boolean {
    // The state is already on screens. The confirmation of the command may not be, if its answer was overtaken.
    if (!isNewerReport(message, device))
      return message.commandId !== undefined && !deps.wasTaken(device.id, message.report) && isFirst(message)
    const { bootId, seq, earlierBoots, stateAt, configConfirmedRev, schedulesConfirmedRev } = message
    // Connections are counted by status messages of their own, which may arrive before or after this one.
    const conn = bootId === device.bootId ? Math.max(device.conn, message.conn) : message.conn
    Object.assign(device, { bootId, seq, earlierBoots, conn, stateAt, configConfirmedRev, schedulesConfirmedRev })
    device.outlets = withStates(device.outlets, message)
    return true
  }

  function takeReport(message: ReportTaken): void {
    const device = registry.known(message.id)
    if (device === undefined && !message.isLate) unread.keep(message.id, { ...message, isOnline: true }, message)
    const { id, mac, commandId, result, reason, facts } = message
    if (device !== undefined) {
      presence.heardElsewhere(device, message.at)
      if (!device.isOnline) presence.adopt(device, { ...message, isOnline: true })
      // A newer report was faster here and may hold rows for what this one changed.
      if (!isNewerReport(message.report, device) && !deps.wasTaken(id, message.report))
        deps.explain(id, message.changed)
      if (!followReport(device, message)) return
      Object.assign(device, facts)
      deps.notifyScreens(device, noticeOf(device, message))
    }
    if (commandId !== undefined) deps.commands.settle(id, answerOf(commandId, result, reason))
    if (facts !== null) events.emit('device-changed', { deviceId: id, deviceMac: mac, update: facts, at: message.at })
    if (message.isBoot) events.emit('device-booted', { deviceId: id, bootId: message.report.bootId })
  }

  function takePresence(message: PresenceTaken): void {
    const { id, mac, userId, isOnline, at, status } = message
    const device = registry.known(id)
    if (device !== undefined) {
      presence.adopt(device, message)
      return
    }
    unread.keep(id, message)
    // No screen here shows the board, but fleet-wide counters listen to these events.
    if (isOnline)
      events.emit('device-online', {
        deviceId: id,
        deviceMac: mac,
        userId,
        ...(status === undefined ? {} : { status })
      })
    events.emit('device-changed', { deviceId: id, deviceMac: mac, update: { isOnline }, at })
  }

  registry.onLoad((device) => {
    const { report, presence: heard } = unread.take(device.id) ?? {}
    if (report !== undefined) followReport(device, report)
    if (heard !== undefined) presence.know(device, heard)
  })
  cluster.on('report-taken', reportTaken, takeReport)
  cluster.on('presence-taken', presenceTaken, takePresence)
  cluster.on('report-explained', reportExplained, ({ id, indexes }) => deps.explain(id, indexes))
  cluster.on('signal-taken', signalTaken, ({ id, mac, wifiRSSI, at }) => {
    const device = registry.known(id)
    if (device !== undefined) {
      device.wifiRSSI = wifiRSSI
      presence.heardElsewhere(device, at)
    }
    const update = { wifiRSSI, lastSeen: at }
    events.emit('device-changed', { deviceId: id, deviceMac: mac, update, at })
  })

  function takeHandedOver({ id, report, at }: { id: string; report?: unknown; at?: number | undefined }): void {
    registry
      .find(id)
      .then((device) => {
        if (device === null) return
        if (!device.isOnline) presence.setOnline(device, true)
        deps.takeReport(device, report, at)
      })
      .catch((error: unknown) => deps.log.error({ err: error, deviceId: id }, 'a forwarded report is lost'))
  }
  cluster.on('report-handed-over', reportHandedOver, takeHandedOver)

  /** Handles a message that another instance sent through the broker. */
  return function takeFromPeer(payload: Buffer): void {
    const { success, data } = reportHandedOver.safeParse(parseJson(payload.toString()))
    if (success) takeHandedOver(data)
    else deps.log.warn('a message of another instance through the broker is invalid')
  }
}

const answerOf = (
  commandId: string,
  result: DeviceReport['result'],
  reason: string | undefined
): Pick<DeviceReport, 'commandId' | 'result' | 'reason'> => ({
  commandId,
  ...(result === undefined ? {} : { result }),
  ...(reason === undefined ? {} : { reason })
})
