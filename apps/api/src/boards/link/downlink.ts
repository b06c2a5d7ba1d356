import {
  downTopic,
  peerTopic,
  type AckPayload,
  type ConfigUpdatePayload,
  type FirmwareUpdatePayload,
  type SchedulesPayload,
  type SwitchUpdatePayload
} from '@batti/contracts'
import { unavailable } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import type { MqttLink } from './mqtt-client.ts'

export interface DownPayloads {
  'switch-update': SwitchUpdatePayload
  'config-update': ConfigUpdatePayload
  schedules: SchedulesPayload
  'firmware-update': FirmwareUpdatePayload
  ack: AckPayload
}

export type OpenLink = (handlers: { onUp(): void; onDown(): void }) => MqttLink

/** The way to the boards, and since when there is one. */
export function createDownlink(clock: Clock, { onTurn }: { onTurn(): void }) {
  interface Line {
    link: MqttLink | undefined
  }
  let current: Line = { link: undefined }
  /** Opened in place of the current one, which is used until it stands. */
  let next: Line | undefined
  /** When there was a link again after there was none: by the wall clock. */
  let upAt = 0
  /** The same by the monotonic clock. */
  let upSince = 0
  /** Since when boards are heard as they are heard now, by the clock that measures silence. */
  let hearingSince = 0
  const isUp = (): boolean => current.link?.isUp() ?? false

  function stands(line: Line): void {
    const before = current
    if (line !== before && line !== next) return
    hearingSince = clock.monotonic()
    if (line === before || before.link?.isUp() !== true) {
      upAt = clock.now()
      upSince = hearingSince
    }
    if (line === next) {
      current = line
      next = undefined
      void before.link?.stop()
    }
    onTurn()
  }

  /** False when there is no connection. */
  function tryPublish<Name extends keyof DownPayloads>(
    deviceId: string,
    name: Name,
    payload: DownPayloads[Name]
  ): boolean {
    return current.link?.publish(downTopic(deviceId, name), JSON.stringify(payload)) ?? false
  }

  return {
    /** Opens the link, or another in place of the one that there is. */
    open(openLink: OpenLink): void {
      void next?.link?.stop()
      const line: Line = { link: undefined }
      if (current.link === undefined) current = line
      else next = line
      line.link = openLink({
        // Not before it is the line's own: one that stands at once is asked below.
        onUp: () => (line.link === undefined ? undefined : stands(line)),
        onDown: () => (line === current ? onTurn() : undefined)
      })
      if (line.link.isUp()) stands(line)
    },
    isUp,
    /** By which other api instances reach this one; null while there is no link. */
    name: (): string | null => (isUp() ? (current.link?.name ?? null) : null),
    /** Says something to another api instance. False when there is no connection. */
    publishToPeer: (name: string, text: string): boolean => current.link?.publish(peerTopic(name), text) ?? false,
    /** When the link was last established, milliseconds; null while it is down. */
    upAt: (): number | null => (isUp() ? upAt : null),
    /** The same by the monotonic clock. */
    upSince: (): number | null => (isUp() ? upSince : null),
    /** Since when boards are heard as they are now, by the monotonic clock; null while they are not. */
    hearingSince: (): number | null => (isUp() ? hearingSince : null),
    tryPublish,
    /** @throws AppError UNAVAILABLE. */
    publish<Name extends keyof DownPayloads>(deviceId: string, name: Name, payload: DownPayloads[Name]): void {
      if (!tryPublish(deviceId, name, payload))
        throw unavailable('The boards cannot be reached right now. Please try again after 5 seconds.')
    },
    async stop(): Promise<void> {
      await next?.link?.stop()
      await current.link?.stop()
    }
  }
}
export type Downlink = ReturnType<typeof createDownlink>
