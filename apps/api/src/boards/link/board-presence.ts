import { deviceSilenceMs, deviceStatus, type DeviceStatus } from '@batti/contracts'
import type { Logger } from 'pino'
import type { Clock } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import type { EventBus } from '../../platform/events.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import type { DeviceRegistry } from '../registry/device-registry.ts'
import type { DeviceStore } from '../registry/device-store.ts'
import { withFields } from '../registry/state-updates.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import { beginBoot } from '../reports/apply-report.ts'
import type { Leases } from '../../platform/cluster/cluster.ts'
import type { PresenceTaken } from '../peers/peer-messages.ts'
import type { PeerPublisher } from '../peers/peer-publisher.ts'
import { createBoardTurns } from './board-turns.ts'
import { createSendCounts } from './send-counts.ts'
import { isNewBoot, isOfEarlierConnection, judgeStatus } from './presence.ts'
import { createSilentBoards } from './silent-boards.ts'

/** Two presence writes by different instances within this time may have crossed. */
const contradictionMs = 5000
/** The maximum age of the stored signal and last-seen time of a board that only sends heartbeats. */
const storeSignalMs = 15 * minuteMs

/** The presence of a board, as another instance has heard it. */
export type HeardPresence = Pick<
  PresenceTaken,
  'isOnline' | 'bootId' | 'conn' | 'seq' | 'earlierBoots' | 'at' | 'status'
> &
  Partial<Pick<PresenceTaken, 'lastMessageAt'>>

/** Adopts a boot or connection that this instance has not heard of. */
function adoptBoot(device: LiveDevice, { bootId, seq, earlierBoots, conn }: HeardPresence): void {
  if (bootId === device.bootId) device.conn = conn
  else Object.assign(device, { bootId, seq, earlierBoots, conn })
}

/** Whether a board has gone since it was heard: one instance may tell what it heard after another has told of the end. */
const isBeforeItsEnd = (heard: HeardPresence, device: LiveDevice): boolean =>
  !device.isOnline &&
  heard.at < device.onlineChangedAt &&
  (isOfEarlierConnection(heard, device) || (heard.bootId === device.bootId && heard.conn === device.conn))

/** Tracks which boards are online, from their status messages and from their silence. */
export function createBoardPresence(deps: {
  clock: Clock
  registry: Pick<DeviceRegistry, 'known' | 'findMany' | 'idsOnline' | 'all'>
  store: Pick<DeviceStore, 'setState' | 'setStateLater'>
  events: EventBus
  metrics: Pick<Metrics, 'onlineDevices'>
  log: Logger
  peers: Pick<PeerPublisher, 'isSplit' | 'presence' | 'signal'>
  leases: Leases
}) {
  const { clock, store, events, peers } = deps
  const turns = createBoardTurns(deps)
  const sendCounts = createSendCounts()
  const silent = createSilentBoards({ ...deps, onSilent: (device) => setOnline(device, false) })

  function setOnline(device: LiveDevice, isOnline: boolean, status?: DeviceStatus): void {
    turns.turn(device, isOnline, { at: clock.now(), status, isStored: false })
    if (!isOnline) silent.wentOffline(device)
    peers.presence(device, isOnline, status)
  }

  /** Follows to the boot and connection that another instance has heard. Returns false for what is outdated. */
  function follow(device: LiveDevice, heard: HeardPresence): boolean {
    const isOver = isOfEarlierConnection(heard, device)
    if (heard.isOnline ? isBeforeItsEnd(heard, device) : isOver) return false
    if (!isOver) adoptBoot(device, heard)
    if (heard.isOnline) heardElsewhere(device, heard.at)
    return true
  }

  /** Adopts presence reported by another instance. An old will must not end a connection that is known here to be newer. */
  function adopt(device: LiveDevice, heard: HeardPresence): void {
    const { isOnline, at, status } = heard
    if (!follow(device, heard)) {
      if (!device.isOnline) return
      turns.save(device)
      peers.presence(device, true)
      return
    }
    if (device.isOnline === isOnline) {
      if (isOnline && status !== undefined) turns.notifyOnline(device, status)
      return
    }
    // A recent write of this instance may still be pending, so the final state is written again.
    const isContradiction = Math.abs(at - device.onlineChangedAt) < contradictionMs
    device.lastMessageAt = Math.max(device.lastMessageAt, heard.lastMessageAt ?? 0)
    turns.turn(device, isOnline, { at, status, isStored: !isContradiction })
  }

  function heardElsewhere(device: LiveDevice, at: number): void {
    device.lastMessageAt = Math.max(device.lastMessageAt, at)
    device.heardAt = clock.monotonic()
    silent.heardElsewhere(device)
  }

  /** Requests the settings and schedules that a board missed while it was offline. */
  function askForMissing(device: LiveDevice): void {
    const config = sendCounts.maySend(device, 'config-update', device.configRev, device.configConfirmedRev)
    const { schedulesRev, schedulesConfirmedRev } = device
    // The board may confirm a list from after the backup that was restored. That list is not the one people see.
    const isForeign = schedulesConfirmedRev > schedulesRev
    const schedules = sendCounts.maySend(device, 'schedules', schedulesRev, isForeign ? -1 : schedulesConfirmedRev)
    if (config || schedules) events.emit('device-behind', { deviceId: device.id, config, schedules })
  }

  function noteSignal(device: LiveDevice, wifiRSSI: number): void {
    const at = clock.now()
    const update = { wifiRSSI, lastSeen: at }
    device.wifiRSSI = wifiRSSI
    events.emit('device-changed', { deviceId: device.id, deviceMac: device.mac, update, at })
    if (clock.monotonic() - device.signalStoredAt < storeSignalMs) return
    device.signalStoredAt = clock.monotonic()
    peers.signal(device)
    store.setStateLater(device.id, withFields(device.id, { wifiRSSI, lastSeen: new Date(at) }))
  }

  return {
    setOnline,
    /** Notes a sign of life: any message. */
    heard(device: LiveDevice): void {
      device.lastMessageAt = clock.now()
      device.heardAt = clock.monotonic()
      silent.heard(device)
    },
    /** Notes an incoming message before it is parsed. */
    speaks(device: LiveDevice): void {
      const isSteady = device.connectedAt !== null && clock.monotonic() - device.heardAt <= deviceSilenceMs
      if (!isSteady) device.connectedAt = clock.now()
    },
    heardElsewhere,
    wasSent: sendCounts.wasSent,
    adopt,
    /** Adopts presence of a board that is just loaded. It was announced when it was heard. */
    know(device: LiveDevice, heard: HeardPresence): void {
      const { isOnline, at } = heard
      const isNewer = follow(device, heard) && device.isOnline !== isOnline && at >= device.onlineChangedAt
      if (isNewer) Object.assign(device, { isOnline, onlineChangedAt: at })
    },
    forget(device: LiveDevice): void {
      sendCounts.forget(device.id)
      silent.forget(device)
    },

    /** Returns false for a malformed status. */
    takeStatus(device: LiveDevice, json: unknown): boolean {
      const { success, data: status } = deviceStatus.safeParse(json)
      if (!success) return false
      // Before anybody is told: a board that comes or goes by a message was seen then.
      device.lastMessageAt = clock.now()
      if (isNewBoot(device, status)) beginBoot(device, status.bootId)
      const verdict = judgeStatus(device, status)
      const isNewConnection = status.online && status.bootId === device.bootId && status.conn > device.conn
      if (isNewConnection) {
        device.connectedAt = null
        // Stored together with its boot, so that after a restart of the api an old will cannot end this connection either.
        const { bootId, seq, earlierBoots } = device
        store.setState(device.id, withFields(device.id, { conn: status.conn, bootId, seq, earlierBoots }))
      }
      // Other instances compare it with what they know of the connection that has ended.
      if (status.bootId === device.bootId) device.conn = Math.max(device.conn, status.conn)
      if (verdict !== null) setOnline(device, verdict === 'online', status)
      // The board reconnected before it was missed. Screens see no change, but listeners that wait for it must be told.
      else if (isNewConnection) {
        turns.notifyOnline(device, status)
        peers.presence(device, true, status)
      }
      if (!status.online) return true
      askForMissing(device)
      if (status.rssi !== undefined) noteSignal(device, status.rssi)
      return true
    },

    turned: silent.turned,
    /** Takes boards offline that have been silent for too long. */
    sweep: silent.sweep
  }
}
export type BoardPresence = ReturnType<typeof createBoardPresence>
