import { z } from 'zod'
import { withoutControlCharacters } from '../control-characters.ts'
import { boardMac, objectId } from '../ids.ts'
import { isWifiName, portNumber } from './fields.ts'

/** The steps of pairing in their order; the last two are final failures. */
export const claimSteps = ['waiting', 'reached', 'claimed', 'online', 'failed', 'expired'] as const

/** Answer of `GET /device-claims/{id}` and payload of `claim-progress`. `detail` says what to do after a failure. */
export const claimProgress = z.object({
  id: z.string(),
  step: z.enum(claimSteps),
  deviceId: z.string().optional(),
  detail: z.string().optional()
})
export type ClaimProgress = z.infer<typeof claimProgress>

/** Answer of `POST /device-claims`. The setup form takes `<userId>.<CODE>` as its user id. */
export const deviceClaim = z.object({ id: z.string(), code: z.string(), userId: z.string(), expiresAt: z.string() })
export type DeviceClaim = z.infer<typeof deviceClaim>

/**
 * `POST /device-auth`, sent by a board that has joined the Wi-Fi. `userId` is `<userId>.<CODE>`, or a bare id from
 * firmware in the field. `deviceToken` is the board's current MQTT password, if it has one.
 */
export const deviceAuthRequest = z.object({
  userId: z.string().min(1).max(128),
  deviceMac: boardMac,
  deviceCode: z.string().min(1).max(64),
  hwModel: z.string().min(1).max(64),
  osVersion: z.string().min(1).max(64).overwrite(withoutControlCharacters),
  timezone: z.string().max(64).optional(),
  activeColor: z.string().max(64).overwrite(withoutControlCharacters).optional(),
  nonce: z.string().min(1).max(128),
  deviceToken: z.string().max(256).optional()
})
export type DeviceAuthRequest = z.infer<typeof deviceAuthRequest>

export const deviceCredentials = z.object({
  deviceId: objectId,
  clientId: z.string(),
  mqttUsername: z.string(),
  mqttPassword: z.string(),
  mqttHost: z.string(),
  mqttPort: z.int().min(1).max(65535),
  mqttCaPem: z.string(),
  topics: z.object({ up: z.string(), down: z.string() }),
  keepaliveS: z.int(),
  serverTime: z.int()
})
export type DeviceCredentials = z.infer<typeof deviceCredentials>

/** The form that a browser posts to `/setupconfig` on the board's own address. All fields arrive as text. */
export const setupForm = z.object({
  ssid: z
    .string()
    .trim()
    .min(1, 'SSID is required')
    .max(32, 'SSID is at most 32 characters')
    .refine(isWifiName, 'SSID is at most 32 bytes: letters outside A to Z take two or three each'),
  password: z.string().min(1, 'Password is required').max(64, 'Password is at most 64 characters'),
  userId: z.string().trim().min(1, 'User id is required').max(128),
  deviceId: z.string().optional(),
  serverUrl: z.string().trim().min(1, 'Server address is required').max(253),
  serverPort: portNumber,
  otherUrl: z.string().trim().min(1).max(256),
  mqttServerUrl: z.string().trim().min(1, 'MQTT server address is required').max(253),
  mqttServerPort: portNumber,
  activeColor: z.string().max(64).optional(),
  timezone: z.string().max(64).optional()
})
export type SetupForm = z.infer<typeof setupForm>
