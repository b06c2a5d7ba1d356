import { z } from 'zod'
import { levelMax, roles } from '../constants.ts'
import { errorCodes } from '../errors.ts'
import { firmwareProgressEvent } from '../firmware.ts'
import { claimProgress } from '../http/device-onboarding.ts'
import { deviceMac, epochMs, objectId } from '../ids.ts'
import { indexListShape } from '../outlets.ts'
import { rolloutProgressEvent } from './rollout-progress.ts'

const switchIndex = z.int().min(0).max(63)
const speed = z.int().min(0).max(levelMax)

/** The origin of a change: the `from` of an action log row. */
export const changeSources = ['web', 'schedule', 'board', 'admin', 'monitor', 'api', 'home-assistant'] as const
export type ChangeSource = (typeof changeSources)[number]

/** Why something changed. Staff appear by name; users of other homes never do. */
export const changeCause = z.object({
  by: z.enum(['user', 'schedule', 'button', 'power', 'api', 'unknown']),
  userId: z.string().optional(),
  userName: z.string().optional(),
  from: z.enum(changeSources),
  scheduleId: z.string().optional()
})
export type ChangeCause = z.infer<typeof changeCause>

export const toggleSwitchCommand = z.object({ deviceMac, switchIndex, state: z.boolean() })
export const setFanSpeedCommand = z.object({ deviceMac, switchIndex, speed })
export const toggleAllCommand = z.object({ deviceMac, state: z.boolean() })
export const toggleBySwitchIdCommand = z.object({ switchId: objectId, state: z.boolean() })

/** Client to server: event name -> schema of its only argument. Each may carry an acknowledgement callback. */
export const clientEvents = {
  'join-user-room': objectId,
  'join-user-device-room': deviceMac,
  /** Takes no argument. */
  'join-staff-room': z.unknown(),
  'toggle-switch': toggleSwitchCommand,
  'set-fan-speed': setFanSpeedCommand,
  'toggle-all-switches': toggleAllCommand,
  toggleSwitch: toggleBySwitchIdCommand,
  /** A new access token for this connection, in answer to `token-expired` or earlier. */
  'renew-token': z.string().min(1).max(2048)
} as const
export type ClientEvent = keyof typeof clientEvents

export const refusedAck = z.object({ ok: z.literal(false), code: z.enum(errorCodes), message: z.string() })
export type RefusedAck = z.infer<typeof refusedAck>

/** What a page shows after it (re)joins: the full state of a board's switches, and the report that it comes from. */
export const deviceSnapshot = z.object({
  deviceMac: z.string(),
  isOnline: z.boolean(),
  switch: z.array(z.boolean()),
  speed: z.array(z.int()),
  ...indexListShape,
  /** Null for a board that has never reported. */
  bootId: z.string().nullable(),
  seq: z.int().nullable(),
  at: epochMs.nullable()
})
export type DeviceSnapshot = z.infer<typeof deviceSnapshot>

export const commandAccepted = z.object({ ok: z.literal(true), id: z.string(), expiresAt: epochMs })
export type CommandAccepted = z.infer<typeof commandAccepted>

const commandAck = z.discriminatedUnion('ok', [commandAccepted, refusedAck])
/** The acknowledgement of each client event. */
export const clientEventAcks = {
  'join-user-room': z.discriminatedUnion('ok', [z.object({ ok: z.literal(true) }), refusedAck]),
  'join-user-device-room': z.discriminatedUnion('ok', [
    z.object({ ok: z.literal(true), device: deviceSnapshot }),
    refusedAck
  ]),
  'join-staff-room': z.discriminatedUnion('ok', [z.object({ ok: z.literal(true) }), refusedAck]),
  'toggle-switch': commandAck,
  'set-fan-speed': commandAck,
  'toggle-all-switches': commandAck,
  toggleSwitch: commandAck,
  'renew-token': z.discriminatedUnion('ok', [z.object({ ok: z.literal(true) }), refusedAck])
} as const satisfies Record<ClientEvent, z.ZodType>

export type ClientEventAnswer<E extends ClientEvent> = z.infer<(typeof clientEventAcks)[E]>

/** `switch-update`, to the room of the MAC. `switchIndex` and `state` only if exactly one switch changed. */
export const switchUpdateEvent = z.object({
  deviceMac: z.string(),
  isOnline: z.boolean(),
  update: z.object({
    switch: z.array(z.boolean()),
    speed: z.array(z.int()),
    fanIndexes: z.array(z.int()),
    dimmerIndexes: indexListShape.dimmerIndexes
  }),
  switchIndex: z.int().optional(),
  state: z.boolean().optional(),
  commandId: z.string().optional(),
  cause: changeCause,
  bootId: z.string(),
  seq: z.int(),
  at: epochMs
})
export type SwitchUpdateEvent = z.infer<typeof switchUpdateEvent>

/**
 * `update-from-device`, to the room of the MAC: everything about a board except its switches. The staff room gets
 * presence changes and edits by people.
 */
export const deviceUpdateEvent = z.object({
  deviceMac: z.string(),
  update: z.looseObject({
    isOnline: z.boolean().optional(),
    lastSeen: epochMs.optional(),
    onlineChangedAt: epochMs.optional(),
    wifiRSSI: z.int().optional(),
    localIp: z.string().optional(),
    osVersion: z.string().optional(),
    activeColor: z.string().optional(),
    timezone: z.string().optional(),
    wifiSSID: z.string().optional(),
    remoteCode: z.string().optional(),
    serverUrl: z.string().optional(),
    serverPort: z.int().nullable().optional(),
    mqttPort: z.int().nullable().optional(),
    setName: z.string().optional(),
    setRoom: z.object({ _id: z.string(), roomName: z.string() }).nullable().optional(),
    /** Renamed switches: outlet index -> name. */
    switchNames: z.record(z.string(), z.string()).optional(),
    /** Switches that became favourites, or are none any more: outlet index -> whether it is one. */
    switchFavorites: z.record(z.string(), z.boolean()).optional(),
    /** The revision of the board's schedules: somebody has added, changed or deleted one. Not to the staff room. */
    schedulesRev: z.int().optional()
  }),
  at: epochMs
})
export type DeviceUpdateEvent = z.infer<typeof deviceUpdateEvent>

/** `fleet-changed`, to the staff room, at most once a second: how many boards are in each state. */
export const fleetChangedEvent = z.object({
  online: z.int(),
  offline: z.int(),
  silent: z.int(),
  flapping: z.int(),
  failing: z.int()
})
export type FleetChangedEvent = z.infer<typeof fleetChangedEvent>

/** `device-removed`, to the room of the MAC before it is emptied: the board was deleted, or has another owner now. */
export const deviceRemovedEvent = z.object({ deviceMac: z.string(), reason: z.enum(['deleted', 'moved']) })

/** `account-changed`: the role and permissions of this connection's account from now on. */
export const accountChangedEvent = z.object({ role: z.enum(roles), permissions: z.array(z.string()) })

/** `token-expired`: the connection ends at `endsAt` unless `renew-token` sends a new token. */
export const tokenExpiredEvent = z.object({ endsAt: epochMs })

/** Server to client: event name -> payload. */
export const serverEvents = {
  'switch-update': switchUpdateEvent,
  'update-from-device': deviceUpdateEvent,
  'device-removed': deviceRemovedEvent,
  'token-expired': tokenExpiredEvent,
  'account-changed': accountChangedEvent,
  switchToggled: z.object({ switchId: z.string(), switchName: z.string(), state: z.boolean() }),
  deviceStatus: z.object({ message: z.string(), deviceMac: z.string(), code: z.enum(errorCodes) }),
  'notify-user': z.string(),
  'claim-progress': claimProgress,
  'firmware-progress': firmwareProgressEvent,
  'rollout-progress': rolloutProgressEvent,
  'fleet-changed': fleetChangedEvent
} as const
export type ServerEvent = keyof typeof serverEvents

/** Types for socket.io's generics, inferred from the schemas above. */
export type ServerToClientEvents = { [E in ServerEvent]: (payload: z.infer<(typeof serverEvents)[E]>) => void }
export type ClientToServerEvents = {
  [E in ClientEvent]: (
    payload: z.input<(typeof clientEvents)[E]>,
    acknowledge?: (answer: z.infer<(typeof clientEventAcks)[E]>) => void
  ) => void
}
