import { statesToWire, type ChangeCause, type DeviceReport, type DeviceStatus } from '@batti/contracts'
import type { Clock } from '@batti/kit/clock'
import { createRecent } from '@batti/kit/recent'
import type { Cluster } from '../../platform/cluster/cluster.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import type { ReportNotice } from '../reports/report-notice.ts'
import type { PresenceTaken, ReportTaken } from './peer-messages.ts'
import type { ActiveCallers } from './active-callers.ts'
import type { PeerLinks } from './peer-links.ts'
import type { ShownBoards } from './shown-boards.ts'

export interface TakenByMe {
  notice: ReportNotice
  report: DeviceReport
  facts: ReportTaken['facts']
  /** Whether it arrived after a newer one and answers a command that is still pending. */
  isLate: boolean
}

/** Tells other instances what this one received from a board, while each message reaches only one of them. */
export interface PeerPublisher {
  /** Whether boards' messages are currently split. Otherwise every instance receives all of them and none needs to be told. */
  isSplit(): boolean
  report(device: LiveDevice, taken: TakenByMe): void
  explained(deviceId: string, indexes: readonly number[]): void
  presence(device: LiveDevice, isOnline: boolean, status?: DeviceStatus): void
  signal(device: LiveDevice): void
  /**
   * Forwards an unparsed report to the instance whose command it answers. False if that is this one, or one that is gone or
   * lets the board repeat it.
   */
  handOver(deviceId: string, report: { commandId: string }): boolean
}

/**
 * Boards repeat a report that is not acknowledged after 1, 3 and 7 s. From then on it is not forwarded any more: it takes longer
 * to notice that an instance was killed, and a schedule that it fired is fired again after 9 s if its answer is unknown.
 */
const forwardedForMs = 2000
const forwardsKept = 5000

/** Command ids have the form `<instance>-<number>`, those of schedules `<instance>-<number>:<scheduleId>`. */
const instanceOf = (commandId: string): string => commandId.slice(0, commandId.indexOf('-'))

export function createPeerPublisher(options: {
  cluster: Cluster
  shown: Pick<ShownBoards, 'isShownElsewhere'>
  callers: Pick<ActiveCallers, 'isExpectedElsewhere'>
  links: Pick<PeerLinks, 'send'>
  isSplit(): boolean
  clock: Clock
}): PeerPublisher {
  const { cluster, shown, callers, links, isSplit, clock } = options
  /** When the answer to a command was forwarded first. */
  const forwarded = createRecent<number>(forwardsKept)
  const nameOf = ({ id, mac, userId }: LiveDevice) => ({ id, mac, userId })
  const isMine = (commandId: string): boolean => instanceOf(commandId) === cluster.instance

  /** Whether another instance shows the board, or waits for this report. A changed signal strength alone is not forwarded. */
  function isWaitedFor({ mac, userId, commandId, facts, isBoot, isLate }: ReportTaken): boolean {
    const isRemarkable = isBoot || isLate || facts?.['osVersion'] !== undefined
    if (isRemarkable || (commandId !== undefined && !isMine(commandId))) return true
    return shown.isShownElsewhere(mac) || callers.isExpectedElsewhere(userId)
  }

  return {
    isSplit,
    report(device, { notice, report, facts, isLate }) {
      if (!isSplit()) return
      const { bootId, seq, earlierBoots, conn, stateAt, configConfirmedRev, schedulesConfirmedRev } = device
      const message: ReportTaken = {
        ...nameOf(device),
        ...statesOf(device),
        bootId,
        seq,
        earlierBoots,
        conn,
        stateAt,
        configConfirmedRev,
        schedulesConfirmedRev,
        changed: notice.changed.map(({ index }) => index),
        cause: notice.cause,
        ...(notice.commandId === undefined ? {} : { commandId: notice.commandId }),
        ...(report.result === undefined ? {} : { result: report.result }),
        ...(report.reason === undefined ? {} : { reason: report.reason }),
        at: notice.at,
        report: { bootId: report.bootId, seq: report.seq },
        facts,
        isBoot: report.cause === 'boot' && !isLate,
        isLate
      }
      cluster.publish('report-taken', message, { mayWait: !isWaitedFor(message) })
    },
    explained(id, indexes) {
      if (isSplit()) cluster.publish('report-explained', { id, indexes })
    },
    presence(device, isOnline, status) {
      if (!isSplit()) return
      const { bootId, conn, seq, earlierBoots, lastMessageAt } = device
      const message: PresenceTaken = {
        ...nameOf(device),
        isOnline,
        bootId,
        conn,
        seq,
        earlierBoots,
        lastMessageAt,
        at: clock.now(),
        ...(status === undefined ? {} : { status })
      }
      cluster.publish('presence-taken', message)
    },
    signal(device) {
      if (isSplit()) cluster.publish('signal-taken', { ...nameOf(device), wifiRSSI: device.wifiRSSI, at: clock.now() })
    },
    handOver(id, report) {
      const owner = instanceOf(report.commandId)
      if (!isSplit() || owner === '' || owner === cluster.instance) return false
      if (!cluster.others().includes(owner)) return false
      const now = clock.monotonic()
      const firstAt = forwarded.get(report.commandId) ?? now
      if (now - firstAt >= forwardedForMs) return false
      forwarded.keep(report.commandId, firstAt)
      const message = { id, report, at: clock.now() }
      return links.send(owner, message) || cluster.sendTo(owner, 'report-handed-over', message)
    }
  }
}

function statesOf(device: LiveDevice): { switch: boolean[]; speed: number[] } {
  const { switch: on, speed } = statesToWire(device.outlets)
  return { switch: [...on], speed: [...speed] }
}

/** Builds the notice for screens from a report that another instance received. */
export function noticeOf(device: LiveDevice, message: ReportTaken): ReportNotice {
  const cause: ChangeCause = message.cause
  return {
    changed: message.changed.flatMap((index) => {
      const outlet = device.outlets[index]
      return outlet === undefined ? [] : [{ ...outlet, index }]
    }),
    cause,
    commandId: message.commandId,
    at: message.at
  }
}
