import { claimLifetimeMs, deviceMac, type DeviceAuthRequest, type DeviceCredentials } from '@batti/contracts'
import type { BoardType } from '@batti/contracts/board-types'
import { backoffMs } from '@batti/kit/backoff'
import { sleep, type Timers } from '@batti/kit/clock'
import type { Semaphore } from '@batti/kit/semaphore'
import { authenticate, type AuthOutcome } from './device-auth.ts'
import type { Credentials, FlashRecord } from '../board/flash-record.ts'
import { apiUrl } from './http-client.ts'

export interface OnboardingParts {
  model: BoardType
  osVersion: string
  clock: Timers
  random: () => number
  signal: AbortSignal
  /** Limits the concurrent requests of all boards. */
  gate: Semaphore
  /** Called after each attempt that did not succeed. */
  onRefused: (detail: string) => void
}

const delays = { firstMs: 1000, longestMs: 30_000, jitter: 0.5 }
/** A refusal counts after this many repetitions: a single one may come from a server that is being restored. */
const refusalsBelieved = 3

/** A board with a credential makes this many attempts before it tries the credential again. */
const attemptsAtReturning = 4

/** A credential, or the reason for a permanent (`refused`) or temporary (`unreached`) failure; null when aborted. */
export type OnboardingEnd = DeviceCredentials | { refused: string } | { unreached: string } | null

/**
 * Requests a credential until the server grants or refuses it: with the pairing code after a setup, or with `deviceToken`,
 * the present credential, to be recognized again.
 */
export async function onboard(
  record: FlashRecord,
  deviceToken: string | null,
  parts: OnboardingParts
): Promise<OnboardingEnd> {
  const { clock, random, signal, onRefused } = parts
  const startedAt = clock.now()
  let refusals = 0
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    const outcome = await ask(record, deviceToken, parts)
    if (signal.aborted) break
    if (outcome.kind === 'paired') return outcome.credentials
    if (outcome.kind === 'refused') {
      refusals += 1
      // A code that was refused once is wrong or used. Do not retry: the server counts refusals per address.
      if (deviceToken === null || refusals >= refusalsBelieved) return { refused: outcome.detail }
    } else if (deviceToken === null && clock.now() - startedAt > claimLifetimeMs) {
      return { refused: 'The pairing code has run out before the server answered.' }
    }
    if (deviceToken !== null && attempt - refusals >= attemptsAtReturning) return { unreached: outcome.detail }
    onRefused(outcome.detail)
    const askedWaitMs = outcome.kind === 'failed' ? (outcome.waitMs ?? 0) : 0
    await sleep(clock, Math.max(askedWaitMs, backoffMs(attempt, delays, random)), signal)
  }
  return null
}

async function ask(record: FlashRecord, deviceToken: string | null, parts: OnboardingParts): Promise<AuthOutcome> {
  const { config, pairing } = record
  if (config === null || pairing === null) return { kind: 'refused', detail: 'This board has not been set up.' }
  const body: DeviceAuthRequest = {
    // Once the board has a credential, the pairing code in it is used up, but the user's id is still valid.
    userId: deviceToken === null ? pairing.userId : (pairing.userId.split('.')[0] ?? pairing.userId),
    deviceMac: deviceMac.parse(record.mac),
    deviceCode: parts.model.deviceCode,
    hwModel: parts.model.hwModel,
    osVersion: parts.osVersion,
    timezone: config.timezone,
    activeColor: config.activeColor,
    nonce: pairing.nonce,
    ...(deviceToken === null ? {} : { deviceToken })
  }
  const leave = await parts.gate.enter()
  try {
    return await authenticate(apiUrl(config.api, pairing.authPath), body, parts.signal)
  } catch {
    return { kind: 'failed', detail: `${config.api.host} is not an address this board can call.`, waitMs: null }
  } finally {
    leave()
  }
}

/** Returns the board's credential for downloads from its own server only, not for any other URL of an image. */
export function downloadCredential(
  { credentials, config }: FlashRecord,
  url: URL
): { authorization: string | null; caPem: string | null } {
  if (credentials === null || config === null) return { authorization: null, caPem: null }
  const ours = [apiUrl(config.api, '/').hostname, config.mqtt.host].includes(url.hostname)
  const basic = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')
  return { authorization: ours ? `Basic ${basic}` : null, caPem: credentials.caPem }
}

/** Returns the part of the server's answer that a board stores. Clamps the keepalive to the allowed limits. */
export function keptCredentials(answer: DeviceCredentials): Credentials {
  return {
    deviceId: answer.deviceId,
    clientId: answer.clientId,
    username: answer.mqttUsername,
    password: answer.mqttPassword,
    caPem: answer.mqttCaPem,
    keepaliveS: Math.min(Math.max(answer.keepaliveS, 15), 120)
  }
}
