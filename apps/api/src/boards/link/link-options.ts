import type { Logger } from 'pino'
import type { Clock } from '@batti/kit/clock'
import type { Cluster } from '../../platform/cluster/cluster.ts'
import type { EventBus } from '../../platform/events.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import type { DeviceRegistry } from '../registry/device-registry.ts'
import type { DeviceStore } from '../registry/device-store.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import type { ReportNotice } from '../reports/report-notice.ts'
import type { MqttLink } from './mqtt-client.ts'

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
