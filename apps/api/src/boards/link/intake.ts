import type { Commands } from '../commands/commands.ts'
import { createLastTimes } from '../../platform/limit-by-key.ts'
import { listenToPeers } from '../peers/peer-listener.ts'
import type { PeerPublisher } from '../peers/peer-publisher.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import { createDedupWindow } from '../reports/dedup-window.ts'
import { createReports } from '../reports/reports.ts'
import { createBoardLimits } from './board-limits.ts'
import type { BoardPresence } from './board-presence.ts'
import type { DeviceLinkOptions } from './link-options.ts'
import type { Downlink } from './downlink.ts'
import { createMessageHandler } from './message-handler.ts'

type IntakeOptions = Omit<DeviceLinkOptions, 'openLink' | 'wantsShare' | 'idPrefix'> & {
  downlink: Pick<Downlink, 'tryPublish' | 'upAt' | 'upSince'>
  peers: PeerPublisher
  presence: BoardPresence
  commands: Commands
}

/** The broker needs a moment to close a connection, and meanwhile more messages arrive that were sent before. */
const closeAgainMs = 1000

/** Handles messages from boards and from other instances, within the limits of each board. */
export function createIntake(options: IntakeOptions) {
  const { clock, store, downlink, peers, presence, commands } = options
  const limits = createBoardLimits(clock, options)
  const recent = createDedupWindow()
  const closed = createLastTimes(clock.monotonic)
  const reports = createReports({
    ...options,
    recent,
    mayLog: limits.mayLog,
    findCause: store.findCause,
    // Where messages are split, another instance may have heard the board come back, so nothing is known here.
    awayUntil: ({ connectedAt }) =>
      peers.isSplit() ? Infinity : Math.max(connectedAt ?? Infinity, downlink.upAt() ?? Infinity),
    upSince: downlink.upSince,
    ack: (deviceId, payload) => void downlink.tryPublish(deviceId, 'ack', payload),
    notify: options.notifyScreens
  })

  function close(deviceId: string): void {
    if (closed.isTimeFor(deviceId, closeAgainMs)) options.closeConnection(deviceId)
  }

  /** Counts a malformed message; too many close the connection. */
  function wasWrong(deviceId: string): void {
    if (!limits.mayBeWrong(deviceId)) close(deviceId)
  }

  /** Handles a board's report that another instance received. */
  function takeReport(device: LiveDevice, report: unknown, arrivedAt: number | undefined): void {
    if (!reports.take(device, report, arrivedAt)) wasWrong(device.id)
  }

  return {
    /** Handles a message by its topic, as the broker delivers it. */
    takeMessage: createMessageHandler({
      ...options,
      limits,
      presence,
      takeReport: reports.take,
      noteDeferred: reports.noteDeferred,
      wasWrong,
      isUnknown: close
    }),
    /** Handles a message of another instance. */
    takeFromPeer: listenToPeers({
      ...options,
      presence,
      commands,
      explain: reports.explain,
      wasTaken: reports.wasTaken,
      takeReport
    }),
    sweep: reports.sweep,
    /** Drops what is remembered of a board's messages. */
    forget(deviceId: string): void {
      limits.forget(deviceId)
      recent.forget(deviceId)
      closed.forget(deviceId)
      reports.forget(deviceId)
    }
  }
}
