import { deviceSilenceMs, deviceStatus, type DeviceStatus } from '@batti/contracts'
import type { Logger } from 'pino'
import { Types } from 'mongoose'
import type { Clock } from '@batti/kit/clock'
import type { EventBus } from '../../platform/events.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import type { DeviceRegistry } from '../registry/device-registry.ts'
import type { DeviceFields, DeviceStore } from '../registry/device-store.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import { beginBoot } from '../reports/apply-report.ts'
import { createSendings } from './sendings.ts'
import { isNewBoot, judgeStatus } from './presence.ts'
import { createSilenceWatch } from './silence.ts'

/** How old the stored signal and time of a board that only says that it is there may get. */
const storeSignalMs = 15 * 60_000

/** Who is there: what boards say of themselves, and what their silence says. */
export function createBoardPresence(deps: {
  clock: Clock
  registry: Pick<DeviceRegistry, 'peek' | 'findMany' | 'idsOnline'>
  store: Pick<DeviceStore, 'setState' | 'setStateLater'>
  events: EventBus
  metrics: Pick<Metrics, 'onlineDevices'>
  log: Logger
}) {
  const { clock, registry, store, events, metrics, log } = deps
  const sendings = createSendings()
  const silence = createSilenceWatch()
  /** The link since which the boards that the database holds online were looked for. */
  let lookedSince: number | null = null

  const withFields =
    (device: LiveDevice, fields: Omit<DeviceFields, '_id'>) => (earlier: DeviceFields | undefined) => ({
      ...earlier,
      _id: new Types.ObjectId(device.id),
      ...fields
    })
  const save = (device: LiveDevice, fields: Omit<DeviceFields, '_id'>): void =>
    store.setState(device.id, withFields(device, fields))

  function tellOnline({ id: deviceId, mac: deviceMac, userId }: LiveDevice, status?: DeviceStatus): void {
    events.emit('device-online', { deviceId, deviceMac, userId, ...(status === undefined ? {} : { status }) })
  }

  function setOnline(device: LiveDevice, isOnline: boolean, status?: DeviceStatus): void {
    const now = clock.now()
    device.isOnline = isOnline
    device.onlineChangedAt = now
    save(device, {
      isOnline,
      onlineChangedAt: new Date(now),
      lastSeen: new Date(device.lastMessageAt === 0 ? now : device.lastMessageAt)
    })
    metrics.onlineDevices[isOnline ? 'inc' : 'dec']()
    if (isOnline) tellOnline(device, status)
    const update = { isOnline, lastSeen: new Date(now).toISOString(), onlineChangedAt: new Date(now).toISOString() }
    events.emit('device-changed', { deviceId: device.id, deviceMac: device.mac, update, at: now })
  }

  /** A board that was away when its settings or schedules changed gets them when it is back. */
  function askForMissing(device: LiveDevice): void {
    const config = sendings.mayAsk(device, 'config', device.configRev, device.configConfirmedRev)
    const schedules = sendings.mayAsk(device, 'schedules', device.schedulesRev, device.schedulesConfirmedRev)
    if (config || schedules) events.emit('device-behind', { deviceId: device.id, config, schedules })
  }

  function noteSignal(device: LiveDevice, wifiRSSI: number): void {
    const at = clock.now()
    const update = { wifiRSSI, lastSeen: new Date(at).toISOString() }
    device.wifiRSSI = wifiRSSI
    events.emit('device-changed', { deviceId: device.id, deviceMac: device.mac, update, at })
    if (clock.monotonic() - device.signalStoredAt < storeSignalMs) return
    device.signalStoredAt = clock.monotonic()
    store.setStateLater(device.id, withFields(device, { wifiRSSI, lastSeen: new Date(at) }))
  }

  /** The database holds it online, and it has not spoken in all that time. */
  async function missStored(linkUpSince: number): Promise<void> {
    for await (const ids of registry.idsOnline()) {
      const unheard = ids.filter((id) => (registry.peek(id)?.heardAt ?? 0) < linkUpSince)
      for (const device of (await registry.findMany(unheard)).values())
        if (device.isOnline && device.heardAt < linkUpSince) setOnline(device, false)
    }
  }

  return {
    setOnline,
    /** A sign of life, whatever it says. */
    heard(device: LiveDevice): void {
      device.lastMessageAt = clock.now()
      device.heardAt = clock.monotonic()
      silence.heard(device)
    },
    forget(device: LiveDevice): void {
      sendings.forget(device.id)
      silence.forget(device)
    },

    /** False when that is no status. */
    takeStatus(device: LiveDevice, json: unknown): boolean {
      const { success, data: status } = deviceStatus.safeParse(json)
      if (!success) return false
      if (isNewBoot(device, status)) beginBoot(device, status.bootId)
      const verdict = judgeStatus(device, status)
      const isNewConnection = status.online && status.bootId === device.bootId && status.conn > device.conn
      if (isNewConnection) {
        device.conn = status.conn
        // With its boot: an old will must not end this connection after a restart of ours either.
        save(device, { conn: status.conn, bootId: device.bootId, seq: device.seq, earlierBoots: device.earlierBoots })
      }
      if (verdict !== null) setOnline(device, verdict === 'online', status)
      // It took its own place before it was missed: nothing changed for the screens, but whoever waits for it must hear.
      else if (isNewConnection) tellOnline(device, status)
      if (!status.online) return true
      askForMissing(device)
      if (status.rssi !== undefined) noteSignal(device, status.rssi)
      return true
    },

    /** Boards that have said nothing since the link came up, and should have. Without a link nobody can speak. */
    sweep(linkUpSince: number | null): void {
      if (linkUpSince === null) return
      const now = clock.monotonic()
      for (const device of silence.due(now, linkUpSince)) setOnline(device, false)
      if (lookedSince === linkUpSince || now - linkUpSince <= deviceSilenceMs) return
      lookedSince = linkUpSince
      missStored(linkUpSince).catch((error: unknown) => {
        lookedSince = null
        log.warn({ err: error }, 'boards that are gone could not be looked for')
      })
    }
  }
}
export type BoardPresence = ReturnType<typeof createBoardPresence>
