import type { Logger } from 'pino'
import type { CommandsOptions } from '../commands/commands.ts'
import type { Cluster } from '../../platform/cluster/cluster.ts'
import type { EventBus } from '../../platform/events.ts'
import type { Metrics } from '../../platform/http/metrics.ts'
import type { DeviceRegistry } from '../registry/device-registry.ts'
import type { DeviceStore } from '../registry/device-store.ts'
import type { LiveDevice } from '../registry/live-device.ts'
import type { ReportNotice } from '../reports/report-notice.ts'
import type { MqttLink } from './mqtt-client.ts'

export interface DeviceLinkOptions extends Pick<CommandsOptions, 'clock' | 'boardDeadlineMs'> {
  registry: DeviceRegistry
  store: DeviceStore
  events: EventBus
  metrics: Metrics
  log: Logger
  idPrefix: string
  /** Reports a second per board, with bursts of five times that; 0 turns the limit off. */
  reportsPerSecond: number
  /** Action log rows a minute per board; 0 turns the limit off. */
  logRowsPerMinute: number
  /** Opens the link. `isShared`: boards' messages are split among the instances; otherwise this one receives them all. */
  openLink(handlers: {
    onMessage(topic: string, payload: Buffer): void
    onPeer(payload: Buffer): void
    onUp(): void
    onDown(): void
    isShared: boolean
  }): MqttLink
  cluster: Cluster
  /** Whether the settings ask to split boards' messages, for as long as instances can forward to each other. */
  wantsShare: boolean
  /** Closes a board's connection. */
  closeConnection(deviceId: string): void
  notifyScreens(device: LiveDevice, notice: ReportNotice): void
}
