import {
  deviceClientId,
  downFilter,
  mqttKeepaliveMaxS,
  type DeviceAuthRequest,
  type DeviceCredentials
} from '@batti/contracts'
import type { Logger } from 'pino'
import type { ClaimableBoard, ClaimableBoards } from '../../boards/claimable-boards.ts'
import { hashDevicePassword, newDevicePassword } from '../../boards/device-credentials.ts'
import type { Clock } from '@batti/kit/clock'
import { isTimeZone } from '../../platform/time-zone.ts'

export interface MqttAddress {
  host: string | undefined
  port: number
  caPem: string
}

const keepaliveS = Math.min(30, mqttKeepaliveMaxS)

/** Issues a board's connection credentials. */
export function createIssueCredentials(deps: {
  boards: Pick<ClaimableBoards, 'setAccess'>
  clock: Pick<Clock, 'now'>
  mqtt: MqttAddress
  log: Logger
}) {
  const { boards, clock, mqtt, log } = deps

  /**
   * Issues a new password; the previous one stops working when the new one is first used. Returns null if the board has
   * changed hands since it was read.
   */
  return async function issue(
    device: ClaimableBoard,
    request: DeviceAuthRequest,
    host: string
  ): Promise<DeviceCredentials | null> {
    const mqttPassword = newDevicePassword()
    const hash = hashDevicePassword(mqttPassword)
    const { id } = device
    const settings = settingsOf(request)
    const { timezone = '' } = request
    if (timezone !== '' && settings.timezone === undefined)
      log.warn({ deviceId: id, timezone }, 'a board sent an unknown time zone')
    const isStored = await boards.setAccess(device, {
      ...(device.credentialHash === null ? { credentialHash: hash, pendingHash: null } : { pendingHash: hash }),
      osVersion: request.osVersion,
      ...settings
    })
    if (!isStored) return null
    return {
      deviceId: id,
      clientId: deviceClientId(id),
      mqttUsername: id,
      mqttPassword,
      mqttHost: mqtt.host ?? host,
      mqttPort: mqtt.port,
      mqttCaPem: mqtt.caPem,
      topics: { up: `d/${id}/up/`, down: downFilter(id) },
      keepaliveS,
      serverTime: clock.now()
    }
  }
}
export type IssueCredentials = ReturnType<typeof createIssueCredentials>

/** Returns the valid settings that a board sends from its setup form. */
export function settingsOf({ activeColor = '', timezone = '' }: DeviceAuthRequest): {
  activeColor?: string
  timezone?: string
} {
  return { ...(activeColor === '' ? {} : { activeColor }), ...(isTimeZone(timezone) ? { timezone } : {}) }
}
