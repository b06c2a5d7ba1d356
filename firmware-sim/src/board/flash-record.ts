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
  /** Of the update that brought it. */
  id: z.string().default(''),
  slot: z.enum(['a', 'b']),
  version: z.string(),
  sha256: z.string(),
  size: z.int(),
  secureVersion: z.int().default(0)
})

/** Everything a board remembers without power. Null fields are those of a board fresh from the factory. */
export const flashRecord = z.object({
  mac: z.string(),
  /** What the setup form and later changes from afar said. */
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
  /** The MQTT address before the last change: the way back when the new one leads nowhere. */
  mqttBefore: address.nullable(),
  /** What introduces the board to the server; the nonce stays until an answer arrived, so that a repeat is known as one. */
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
    /** Null: the version from the factory. */
    active: image.nullable(),
    /** Installed, and not yet proved by reaching the server. */
    trial: image.extend({ boots: z.int() }).nullable(),
    /** Under way; taken up again after a power cut. */
    download: firmwareUpdatePayload.nullable(),
    /** How the last update ended, until the server could be told. */
    outcome: firmwareProgress.nullable()
  })
})
export type FlashRecord = z.infer<typeof flashRecord>
export type Credentials = NonNullable<FlashRecord['credentials']>

/** A board as it leaves the factory. */
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

/** The outlets to come up with: as they were, unless the flash belongs to another number of them. */
export function storedOutlets({ outputs }: FlashRecord, kinds: readonly OutletKind[]): Outlet[] {
  const outlets = newOutlets(kinds)
  const isOurs = outputs?.switch.length === kinds.length && outputs.speed.length === kinds.length
  return isOurs ? withStates(outlets, outputs) : outlets
}
