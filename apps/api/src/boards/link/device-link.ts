import {
  configUpdatePayload,
  deviceStatus,
  downTopic,
  firmwareProgress,
  parseUpTopic,
  type AckPayload,
  type ChangeCause,
  type ConfigUpdatePayload,
  type DeviceStatus,
  type FirmwareProgress,
  type SchedulesPayload,
  type SwitchUpdatePayload
} from '@batti/contracts'
import { parseJson } from '@batti/kit/json'
import { createTokenBucket, type TokenBucket } from '@batti/kit/token-bucket'
import { Types } from 'mongoose'
import type { Logger } from 'pino'
import { unavailable } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { EventBus } from '../../platform/events.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import type { CommandRequest, CommandResult, LiveDevice, SentCommand } from '../registry/live-device.ts'
import { createCommands } from '../commands/commands.ts'
import type { DeviceRegistry } from '../registry/device-registry.ts'
import type { DeviceStore } from '../registry/device-store.ts'
import type { MqttLink } from './mqtt-client.ts'
import { beginBoot } from '../reports/apply-report.ts'
import { isNewBoot, isSilent, judgeStatus } from './presence.ts'
import { createReports, type ToldReport } from '../reports/reports.ts'
import { createTakenReports } from '../reports/taken-reports.ts'

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
  openLink(handlers: { onMessage(topic: string, payload: Buffer): void; onUp(): void; onDown(): void }): MqttLink
  /** Ends a board's connection now. */
  closeConnection(deviceId: string): void
  tellScreens(device: LiveDevice, told: ToldReport): void
}

const badMessageRate = { perSecond: 20 / 60, burst: 20 }
const sweepMs = 100

/** Everything between this process and the boards: commands down, reports up, and who is there. */
export function createDeviceLink(options: DeviceLinkOptions) {
  const { clock, registry, store, events, metrics, log } = options
  const reportRate = { perSecond: options.reportsPerSecond, burst: options.reportsPerSecond * 5 }
  const limits = new Map<string, { reports: TokenBucket; bad: TokenBucket }>()
  let link: MqttLink | undefined
  /** When the link was last established: by the wall clock, and by the one that measures silence. */
  let linkUp = { at: 0, since: 0 }
  let timer: NodeJS.Timeout | undefined
  let silenceCheckedAt = 0

  const commands = createCommands({
    clock,
    store,
    idPrefix: options.idPrefix,
    publish: (deviceId, command) => publish(deviceId, 'switch-update', command),
    onEnd(result: CommandResult, tookMs: number) {
      metrics.commands.inc({ outcome: result })
      if (result === 'confirmed') metrics.commandSeconds.observe(tookMs / 1000)
    }
  })
  const recent = createTakenReports()
  const takeReport = createReports({
    clock,
    store,
    commands,
    recent,
    findCause: store.findCause,
    events,
    metrics,
    log,
    ack: (deviceId, payload) => void tryPublish(deviceId, 'ack', payload),
    tell: options.tellScreens
  })

  type Down = 'switch-update' | 'config-update' | 'schedules' | 'ack'
  type Payload = SwitchUpdatePayload | ConfigUpdatePayload | SchedulesPayload | AckPayload

  function tryPublish(deviceId: string, name: Down, payload: Payload): boolean {
    return link?.publish(downTopic(deviceId, name), JSON.stringify(payload)) ?? false
  }

  function publish(deviceId: string, name: Down, payload: Payload): void {
    if (!tryPublish(deviceId, name, payload))
      throw unavailable('The boards cannot be reached right now. Please try again after 5 seconds.')
  }

  function limitsOf(deviceId: string): { reports: TokenBucket; bad: TokenBucket } {
    const known = limits.get(deviceId)
    if (known !== undefined) return known
    const made = {
      reports: createTokenBucket(reportRate, clock.monotonic),
      bad: createTokenBucket(badMessageRate, clock.monotonic)
    }
    limits.set(deviceId, made)
    return made
  }

  function onMessage(topic: string, payload: Buffer): void {
    const parsed = parseUpTopic(topic)
    if (parsed === null) return
    const device = registry.peek(parsed.deviceId)
    if (device !== undefined) {
      take(device, parsed.name, payload)
      return
    }
    registry
      .find(parsed.deviceId)
      .then((loaded) => {
        if (loaded !== null) take(loaded, parsed.name, payload)
      })
      .catch((error: unknown) => log.error({ err: error, topic }, 'a message of a board could not be read'))
  }

  function take(
    device: LiveDevice,
    name: 'update-from-device' | 'status' | 'firmware-progress',
    payload: Buffer
  ): void {
    const now = clock.now()
    if (name === 'update-from-device' && !limitsOf(device.id).reports.take()) {
      metrics.reports.inc({ outcome: 'limited' })
      return
    }
    const json = parseJson(payload.toString('utf8'))
    const isFine =
      name === 'update-from-device'
        ? takeReport(device, json)
        : name === 'status'
          ? takeStatus(device, json)
          : takeProgress(device, json)
    if (isFine) {
      device.lastMessageAt = now
      device.heardAt = clock.monotonic()
      // A report is a sign of life of a board whose silence was taken for absence.
      if (name === 'update-from-device' && !device.isOnline) setOnline(device, true)
      return
    }
    if (name !== 'update-from-device') metrics.reports.inc({ outcome: 'rejected' })
    if (!limitsOf(device.id).bad.take()) options.closeConnection(device.id)
  }

  function takeStatus(device: LiveDevice, json: unknown): boolean {
    const parsed = deviceStatus.safeParse(json)
    if (!parsed.success) return false
    const status: DeviceStatus = parsed.data
    if (isNewBoot(device, status)) beginBoot(device, status.bootId)
    const verdict = judgeStatus(device, status)
    const isNewConnection = status.online && status.bootId === device.bootId && status.conn > device.conn
    if (isNewConnection) device.conn = status.conn
    if (verdict !== null) setOnline(device, verdict === 'online', status)
    // It took its own place before it was missed: nothing changed for the screens, but whoever waits for it must hear.
    else if (isNewConnection) tellOnline(device, status)
    if (status.online) {
      resendUnconfirmed(device)
      if (status.rssi !== undefined) {
        const at = clock.now()
        const rssi = status.rssi
        events.emit('device-changed', {
          deviceId: device.id,
          deviceMac: device.mac,
          update: { wifiRSSI: rssi, lastSeen: new Date(at).toISOString() },
          at
        })
        store.setState(device.id, (earlier) => ({
          ...earlier,
          _id: new Types.ObjectId(device.id),
          wifiRSSI: rssi,
          lastSeen: new Date(at)
        }))
      }
    }
    return true
  }

  function takeProgress(device: LiveDevice, json: unknown): boolean {
    const parsed = firmwareProgress.safeParse(json)
    if (!parsed.success) return false
    const progress: FirmwareProgress = parsed.data
    events.emit('firmware-progressed', { deviceId: device.id, deviceMac: device.mac, userId: device.userId, progress })
    return true
  }

  function setOnline(device: LiveDevice, isOnline: boolean, status?: DeviceStatus): void {
    const now = clock.now()
    device.isOnline = isOnline
    device.onlineChangedAt = now
    store.setState(device.id, (earlier) => ({
      ...earlier,
      _id: new Types.ObjectId(device.id),
      isOnline,
      onlineChangedAt: new Date(now),
      lastSeen: new Date(device.lastMessageAt === 0 ? now : device.lastMessageAt)
    }))
    metrics.onlineDevices[isOnline ? 'inc' : 'dec']()
    const { id: deviceId, mac: deviceMac } = device
    if (isOnline) tellOnline(device, status)
    const update = { isOnline, lastSeen: new Date(now).toISOString(), onlineChangedAt: new Date(now).toISOString() }
    events.emit('device-changed', { deviceId, deviceMac, update, at: now })
  }

  function tellOnline({ id: deviceId, mac: deviceMac, userId }: LiveDevice, status?: DeviceStatus): void {
    events.emit('device-online', { deviceId, deviceMac, userId, ...(status === undefined ? {} : { status }) })
  }

  /** A board that was away when its settings or schedules changed gets them when it is back. */
  function resendUnconfirmed(device: LiveDevice): void {
    if (device.configConfirmedRev < device.configRev || device.schedulesConfirmedRev < device.schedulesRev) {
      events.emit('device-behind', {
        deviceId: device.id,
        config: device.configConfirmedRev < device.configRev,
        schedules: device.schedulesConfirmedRev < device.schedulesRev
      })
    }
  }

  function sweep(): void {
    commands.sweep()
    const now = clock.monotonic()
    if (now - silenceCheckedAt < 1000) return
    silenceCheckedAt = now
    // While the link is down nobody can speak: silence then says nothing about the boards.
    if (link?.isUp() !== true) return
    for (const device of registry.all()) if (isSilent(device, now, linkUp.since)) setOnline(device, false)
  }

  return {
    async start(): Promise<void> {
      await registry.loadOnline()
      metrics.onlineDevices.set([...registry.all()].filter((device) => device.isOnline).length)
      await store.expireForgottenCommands(new Date(clock.now()))
      link = options.openLink({
        onMessage,
        onUp: () => (linkUp = { at: clock.now(), since: clock.monotonic() }),
        onDown: () => undefined
      })
      timer = setInterval(sweep, sweepMs)
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      await store.drain()
      await link?.stop()
    },
    isUp: (): boolean => link?.isUp() ?? false,
    /** When the link to the broker was last established, milliseconds; null while it is down. */
    upSince: (): number | null => (link?.isUp() === true ? linkUp.at : null),
    /** @throws AppError DEVICE_OFFLINE or UNAVAILABLE. */
    send: (request: CommandRequest, cause: ChangeCause): SentCommand => commands.send(request, cause),
    pushConfig: (deviceId: string, payload: ConfigUpdatePayload): boolean =>
      tryPublish(deviceId, 'config-update', configUpdatePayload.parse(payload)),
    pushSchedules: (deviceId: string, payload: SchedulesPayload): boolean => tryPublish(deviceId, 'schedules', payload),
    /** A board that is gone for good: nothing of it stays in memory. */
    forget(deviceId: string): void {
      const device = registry.peek(deviceId)
      if (device?.isOnline === true) metrics.onlineDevices.dec()
      registry.forget(deviceId)
      limits.delete(deviceId)
      recent.forget(deviceId)
      commands.forget(deviceId)
    },
    /** For whole-system tests and a controlled clock. */
    sweep
  }
}
