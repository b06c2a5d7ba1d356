import {
  downTopic,
  type AckPayload,
  type ConfigUpdatePayload,
  type FirmwareUpdatePayload,
  type SchedulesPayload,
  type SwitchUpdatePayload
} from '@batti/contracts'
import { unavailable } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import type { MqttLink } from './mqtt-client.ts'

interface DownPayloads {
  'switch-update': SwitchUpdatePayload
  'config-update': ConfigUpdatePayload
  schedules: SchedulesPayload
  'firmware-update': FirmwareUpdatePayload
  ack: AckPayload
}

/** The way to the boards, and since when there is one. */
export function createDownlink(clock: Clock) {
  let link: MqttLink | undefined
  /** When the link was last established: by the wall clock, and by the one that measures silence. */
  let up = { at: 0, since: 0 }
  const isUp = (): boolean => link?.isUp() ?? false

  /** False when there is no connection. */
  function tryPublish<Name extends keyof DownPayloads>(
    deviceId: string,
    name: Name,
    payload: DownPayloads[Name]
  ): boolean {
    return link?.publish(downTopic(deviceId, name), JSON.stringify(payload)) ?? false
  }

  return {
    open(openLink: (handlers: { onUp(): void; onDown(): void }) => MqttLink): void {
      link = openLink({
        onUp: () => (up = { at: clock.now(), since: clock.monotonic() }),
        onDown: () => undefined
      })
    },
    isUp,
    /** When the link was last established, milliseconds; null while it is down. */
    upAt: (): number | null => (isUp() ? up.at : null),
    /** The same by the monotonic clock. */
    upSince: (): number | null => (isUp() ? up.since : null),
    tryPublish,
    /** @throws AppError UNAVAILABLE. */
    publish<Name extends keyof DownPayloads>(deviceId: string, name: Name, payload: DownPayloads[Name]): void {
      if (!tryPublish(deviceId, name, payload))
        throw unavailable('The boards cannot be reached right now. Please try again after 5 seconds.')
    },
    stop: async (): Promise<void> => link?.stop()
  }
}
