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

/** Domain events of one api process. Names say what has happened; payloads are plain records. */
export interface DomainEvents {
  /** A board ran an entry of its own copy of the schedules (`<scheduleId>:<phase>`), at `occurredAt` by its clock. */
  'schedule-reported': { deviceId: string; entryId: string; occurredAt: number }
  'device-changed': { deviceId: string; deviceMac: string; update: Record<string, unknown>; at: number }
  /** Somebody changed what people set of a board: its name, room, colour, owner. */
  'device-edited': { deviceId: string; deviceMac: string; update: Record<string, unknown>; at: number }
  /** What a board is told of its settings, or its list of schedules, is another from now on; `detail` names what. */
  'board-set': { deviceId: string; kind: 'config' | 'schedules'; detail: string | null }
  /** A board has connected; also when it took the place of a connection that had not ended yet. */
  'device-online': { deviceId: string; deviceMac: string; userId: string | null; status?: DeviceStatus }
  /** A board changed hands or was deleted: its credentials and every screen's right to see it have ended. */
  'device-released': { deviceId: string; deviceMac: string; userId: string | null; reason: 'deleted' | 'moved' }
  /** An admin made a record for a board that is still to be set up. */
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
  /** Somebody without the right to it asked for the credentials of a board that has an owner. */
  'board-coveted': { userId: string; boardName: string }
  'claim-progressed': { userId: string; progress: ClaimProgress }
  'user-notified': { userId: string; text: string }
  'session-ended': { userId: string; sessionId: string }
  /** Role, permissions or existence of an account changed: what was granted to it must be asked for again. */
  'account-changed': { userId: string }
  'account-deleted': { userId: string }
  /** Somebody was turned away: over HTTP, a socket or MQTT. */
  refused: { ip: string; method: string; url: string; userAgent: string }
  'address-blocked': { ip: string }
  'switch-renamed': { deviceMac: string; index: number; name: string; at: number }
  /** Two boards used one credential: it is kept out for a while. */
  'board-in-quarantine': { userId: string; boardName: string }
  'switch-changed': { switchId: string; deviceId: string }
  /** A board is online and has not confirmed its latest settings or schedules. */
  'device-behind': { deviceId: string; config: boolean; schedules: boolean }
  /** A board reported for the first time since its power came on. */
  'device-booted': { deviceId: string; bootId: string }
  /** What owner and staff are told of an update, and staff of a rollout. */
  'firmware-notice': { deviceId: string; userId: string | null; event: FirmwareProgressEvent }
  /** A file was added, changed or deleted, or a key is trusted or no longer. */
  'firmware-changed': object
  'rollout-notice': RolloutProgressEvent
  'firmware-progressed': { deviceId: string; deviceMac: string; userId: string | null; progress: FirmwareProgress }
}

export type EventName = keyof DomainEvents

export interface EventBus {
  emit<Name extends EventName>(name: Name, payload: DomainEvents[Name]): void
  /** Returns its own undo. */
  on<Name extends EventName>(name: Name, listener: (payload: DomainEvents[Name]) => void | Promise<void>): () => void
}

/** A typed in-process bus. A listener that fails is logged and never stops the others or the emitter. */
export function createEventBus(log: Logger): EventBus {
  const listeners: { [Name in EventName]?: Set<(payload: DomainEvents[Name]) => void | Promise<void>> } = {}
  const failed = (name: EventName) => (error: unknown) =>
    log.error({ err: error, event: name }, 'event listener failed')

  function deliver<Name extends EventName>(name: Name, payload: DomainEvents[Name]): void {
    for (const listener of listeners[name] ?? []) {
      try {
        const pending = listener(payload)
        if (pending instanceof Promise) pending.catch(failed(name))
      } catch (error) {
        failed(name)(error)
      }
    }
  }

  return {
    // What has not been stored yet has not happened.
    emit: (name, payload) => afterCommit(() => deliver(name, payload)),
    on(name, listener) {
      const set: Set<typeof listener> = listeners[name] ?? new Set()
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the set was made for listeners of this very name
      listeners[name] = set as (typeof listeners)[typeof name]
      set.add(listener)
      return () => void set.delete(listener)
    }
  }
}
