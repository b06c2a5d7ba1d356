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

/** The connection to the boards, and since when it is up. */
export function createDownlink(clock: Clock, { onTurn, onBack }: { onTurn(): void; onBack(): void }) {
  interface Line {
    link: MqttLink | undefined
  }
  let current: Line = { link: undefined }
  /** A replacement that is being opened; the current link stays in use until it is up. */
  let next: Line | undefined
  /** Wall-clock time at which a link was up again after there was none. */
  let upAt = 0
  /** The same on the monotonic clock. */
  let upSince = 0
  /** Since when boards are heard through the current link, on the monotonic clock. */
  let hearingSince = 0
  const isUp = (): boolean => current.link?.isUp() ?? false

  function stands(line: Line): void {
    const before = current
    if (line !== before && line !== next) return
    hearingSince = clock.monotonic()
    const isBack = line === before || before.link?.isUp() !== true
    if (isBack) {
      upAt = clock.now()
      upSince = hearingSince
    }
    if (line === next) {
      current = line
      next = undefined
      void before.link?.stop()
    }
    onTurn()
    if (isBack) onBack()
  }

  /** Returns false when there is no connection. */
  function tryPublish<Name extends keyof DownPayloads>(
    deviceId: string,
    name: Name,
    payload: DownPayloads[Name]
  ): boolean {
    return current.link?.publish(downTopic(deviceId, name), JSON.stringify(payload)) ?? false
  }

  return {
    /** Opens a link, or a replacement for the current one. */
    open(openLink: OpenLink): void {
      void next?.link?.stop()
      const line: Line = { link: undefined }
      if (current.link === undefined) current = line
      else next = line
      line.link = openLink({
        // Ignored while `openLink` still runs: a link that is up immediately is handled below.
        onUp: () => (line.link === undefined ? undefined : stands(line)),
        onDown: () => (line === current ? onTurn() : undefined)
      })
      if (line.link.isUp()) stands(line)
    },
    isUp,
    /** The name by which other api instances reach this one; null while the link is down. */
    name: (): string | null => (isUp() ? (current.link?.name ?? null) : null),
    /** Publishes a message to another api instance. Returns false when there is no connection. */
    publishToPeer: (name: string, text: string): boolean => current.link?.publish(peerTopic(name), text) ?? false,
    /** When the link was last established, in wall-clock milliseconds; null while it is down. */
    upAt: (): number | null => (isUp() ? upAt : null),
    /** The same on the monotonic clock. */
    upSince: (): number | null => (isUp() ? upSince : null),
    /** Since when boards are heard through the current link, on the monotonic clock; null while it is down. */
    hearingSince: (): number | null => (isUp() ? hearingSince : null),
    /** Call after this process was suspended: what boards have said meanwhile may still have to be read, or be lost. */
    hearAnew: (): void => void (hearingSince = clock.monotonic()),
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
