import {
  firmwareProgress,
  firmwareUpdatePayload,
  newOutlets,
  schedulesPayload,
  withStates,
  type Outlet,
  type OutletKind
} from '@batti/contracts'
import { z } from 'zod'

const address = z.object({ host: z.string(), port: z.int() })

const image = z.object({
  /** The id of the update that installed it. */
  id: z.string().default(''),
  slot: z.enum(['a', 'b']),
  version: z.string(),
  sha256: z.string(),
  size: z.int(),
  secureVersion: z.int().default(0)
})

/** Everything that a board stores without power. In factory state the nullable fields are null. */
export const flashRecord = z.object({
  mac: z.string(),
  /** Settings from the setup form and from later remote changes. */
  config: z
    .object({
      rev: z.int(),
      activeColor: z.string(),
      timezone: z.string(),
      wifi: z.object({ ssid: z.string(), password: z.string() }),
      api: address,
      mqtt: address
    })
    .nullable(),
  /** The previous MQTT address: the fallback when the new one does not work. */
  mqttBefore: address.nullable(),
  /** Data for pairing. The nonce is kept until an answer arrives, so that the server recognizes a retry. */
  pairing: z.object({ userId: z.string(), authPath: z.string(), nonce: z.string() }).nullable(),
  credentials: z
    .object({
      deviceId: z.string(),
      clientId: z.string(),
      username: z.string(),
      password: z.string(),
      caPem: z.string(),
      keepaliveS: z.int()
    })
    .nullable(),
  timetable: schedulesPayload.nullable(),
  outputs: z.object({ switch: z.array(z.boolean()), speed: z.array(z.int()) }).nullable(),
  serverOffsetMs: z.number().nullable(),
  firmware: z.object({
    /** Null: the factory version. */
    active: image.nullable(),
    /** An installed image that has not proved itself yet by reaching the server. */
    trial: image.extend({ boots: z.int() }).nullable(),
    /** The update in progress, which is resumed after a power cut. */
    download: firmwareUpdatePayload.nullable(),
    /** The result of the last update, until it was reported to the server. */
    outcome: firmwareProgress.nullable()
  })
})
export type FlashRecord = z.infer<typeof flashRecord>
export type Credentials = NonNullable<FlashRecord['credentials']>

/** Returns the record of a board in factory state. */
export function factoryRecord(mac: string): FlashRecord {
  return {
    mac,
    config: null,
    mqttBefore: null,
    pairing: null,
    credentials: null,
    timetable: null,
    outputs: null,
    serverOffsetMs: null,
    firmware: { active: null, trial: null, download: null, outcome: null }
  }
}

/** Restores the outlets from the record; new ones when the record has a different number of them. */
export function storedOutlets({ outputs }: FlashRecord, kinds: readonly OutletKind[]): Outlet[] {
  const outlets = newOutlets(kinds)
  const isOurs = outputs?.switch.length === kinds.length && outputs.speed.length === kinds.length
  return isOurs ? withStates(outlets, outputs) : outlets
}
