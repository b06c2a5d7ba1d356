import type {
  ClaimProgress,
  FleetChangedEvent,
  DeviceStatus,
  FirmwareProgress,
  Outlet,
  FirmwareProgressEvent,
  RolloutProgressEvent
} from '@batti/contracts'
import type { Logger } from 'pino'
import { afterCommit } from './after-commit.ts'

/** One outlet that changed, as the board reported it. */
export interface OutletChange extends Outlet {
  readonly index: number
}

/** A call, a CONNECT or an event of a socket that was refused. */
export interface Refusal {
  ip: string
  method: string
  url: string
  userAgent: string
}

/** Domain events of one api process. A name says what has happened; payloads are plain records. */
export interface DomainEvents {
  /** A board ran an entry of its own copy of the schedules (`<scheduleId>:<phase>`), at `occurredAt` by its clock. */
  'schedule-reported': { deviceId: string; entryId: string; occurredAt: number }
  /** A board has executed a schedule's command, and nobody here waited for its answer any more. `switches`: its outlets since. */
  'schedule-answered': {
    deviceId: string
    scheduleId: string
    commandId: string
    switches: readonly boolean[]
    occurredAt: number
  }
  'device-changed': { deviceId: string; deviceMac: string; update: Record<string, unknown>; at: number }
  /** A person changed settings of a board: its name, room, colour or owner. */
  'device-edited': { deviceId: string; deviceMac: string; update: Record<string, unknown>; at: number }
  /** The settings or schedules that a board must be sent have changed; `detail` names what. */
  'board-set': { deviceId: string; kind: 'config' | 'schedules'; detail: string | null }
  /** A board has connected, possibly replacing a connection that had not ended yet. */
  'device-online': { deviceId: string; deviceMac: string; userId: string | null; status?: DeviceStatus }
  /** A board changed its owner or was deleted: its credentials, and all rights to see it, have ended. */
  'device-released': { deviceId: string; deviceMac: string; userId: string | null; reason: 'deleted' | 'moved' }
  /** An admin created a record for a board that is yet to be set up. */
  'device-added': { deviceId: string }
  /** A command of this instance has ended. `offline`: it was not sent. `sentAt` in milliseconds. */
  'command-ended': {
    deviceId: string
    result: 'confirmed' | 'timeout' | 'failed' | 'expired' | 'offline'
    tookMs: number
    sentAt: number
  }
  'fleet-changed': FleetChangedEvent
  'device-claimed': { deviceId: string; deviceMac: string; userId: string }
  /** A client without the right to it requested the credentials of a board that has an owner. */
  'board-coveted': { userId: string; boardName: string }
  'claim-progressed': { userId: string; progress: ClaimProgress }
  'user-notified': { userId: string; text: string }
  'session-ended': { userId: string; sessionId: string }
  /** An account has other fields, or another role or permissions: everything granted to it must be checked again. */
  'account-changed': { userId: string }
  'account-deleted': { userId: string }
  /** A caller was refused, over HTTP, a socket or MQTT. */
  refused: Refusal
  'address-blocked': { ip: string }
  /** A person renamed a switch, or changed whether it is a favourite. */
  'switch-edited': { deviceMac: string; index: number; name?: string; isFavorite?: boolean; at: number }
  /** Two boards used the same credential: it is blocked for a while. */
  'board-in-quarantine': { userId: string; boardName: string }
  'switch-changed': { switchId: string; deviceId: string }
  /** An online board has not confirmed its latest settings or schedules. */
  'device-behind': { deviceId: string; config: boolean; schedules: boolean }
  /** A board reported for the first time since power-on. */
  'device-booted': { deviceId: string; bootId: string }
  /**
   * A board has answered settings or schedules that it was sent; only its record tells whether it confirmed the latest.
   * `refusal`: the reason for which it took none of them, maybe empty; null if it took them.
   */
  'settings-answered': { deviceId: string; refusal: string | null }
  /** An update notice for owner and staff, or a rollout notice for staff. */
  'firmware-notice': { deviceId: string; userId: string | null; event: FirmwareProgressEvent }
  /** A file was added, changed or deleted, or the trusted keys changed. */
  'firmware-changed': object
  'rollout-notice': RolloutProgressEvent
  /** `bootId`: the boot that reports it, as far as the board has named it. */
  'firmware-progressed': {
    deviceId: string
    deviceMac: string
    userId: string | null
    bootId: string
    progress: FirmwareProgress
  }
}

export type EventName = keyof DomainEvents

export interface EventBus {
  emit<Name extends EventName>(name: Name, payload: DomainEvents[Name]): void
  /** Registers a listener. Returns a function that removes it. */
  on<Name extends EventName>(name: Name, listener: (payload: DomainEvents[Name]) => void | Promise<void>): () => void
  /** Resolves when no listener is working any more. */
  settled(): Promise<void>
}

/** Creates a typed in-process bus. A failing listener is logged, and stops neither the others nor the emitter. */
export function createEventBus(log: Logger): EventBus {
  const listeners: { [Name in EventName]?: Set<(payload: DomainEvents[Name]) => void | Promise<void>> } = {}
  const working = new Set<Promise<void>>()
  const failed = (name: EventName) => (error: unknown) =>
    log.error({ err: error, event: name }, 'event listener failed')

  function deliver<Name extends EventName>(name: Name, payload: DomainEvents[Name]): void {
    for (const listener of listeners[name] ?? []) {
      try {
        const pending = listener(payload)
        if (!(pending instanceof Promise)) continue
        const ended = pending.catch(failed(name)).finally(() => working.delete(ended))
        working.add(ended)
      } catch (error) {
        failed(name)(error)
      }
    }
  }

  return {
    // Emitted only after the commit, because until then nothing has happened.
    emit: (name, payload) => afterCommit(() => deliver(name, payload)),
    on(name, listener) {
      const set: Set<typeof listener> = listeners[name] ?? new Set()
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the set was made for listeners of this very name
      listeners[name] = set as (typeof listeners)[typeof name]
      set.add(listener)
      return () => void set.delete(listener)
    },
    async settled() {
      while (working.size > 0) await Promise.all(working)
    }
  }
}
