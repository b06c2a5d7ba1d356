import {
  configUpdatePayload,
  type ConfigUpdatePayload,
  type FirmwareUpdatePayload,
  type SchedulesPayload
} from '@batti/contracts'
import type { DeviceRegistry } from '../registry/device-registry.ts'
import type { BoardPresence } from './board-presence.ts'
import type { Downlink, DownPayloads } from './downlink.ts'

/** Sends boards what is stored for them. Each function returns false when the boards cannot be reached. */
export function createPushes(deps: {
  downlink: Pick<Downlink, 'tryPublish'>
  registry: Pick<DeviceRegistry, 'known'>
  presence: Pick<BoardPresence, 'wasSent'>
}) {
  const { downlink, registry, presence } = deps

  /** Publishes a revision. For a board that is online it is counted, because revisions that stay unconfirmed are limited. */
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

  return {
    /** @throws ZodError for invalid settings. */
    pushConfig: (deviceId: string, payload: ConfigUpdatePayload): boolean =>
      pushRevision(deviceId, 'config-update', configUpdatePayload.parse(payload)),
    pushFirmware: (deviceId: string, payload: FirmwareUpdatePayload): boolean =>
      downlink.tryPublish(deviceId, 'firmware-update', payload),
    pushSchedules: (deviceId: string, payload: SchedulesPayload): boolean =>
      pushRevision(deviceId, 'schedules', payload)
  }
}
