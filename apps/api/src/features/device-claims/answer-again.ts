import type { DeviceAuthRequest, DeviceCredentials } from '@batti/contracts'
import type { Clock } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import { createHash } from 'node:crypto'

/** How long an identical request is answered again. */
export const againForMs = minuteMs
const rememberedMax = 10_000

interface Entry {
  answer: Promise<DeviceCredentials>
  at: number
  /** Null until it is answered. */
  deviceId: string | null
}
type Authenticate = (request: DeviceAuthRequest, from: { ip: string; host: string }) => Promise<DeviceCredentials>

/** Two requests are identical if these fields are; the nonce is new for each attempt. */
const keyOf = ({ deviceMac, nonce, userId, deviceToken }: DeviceAuthRequest): string =>
  JSON.stringify([deviceMac, nonce, userId, deviceToken])

/** Identifies a request in the database; its code and its token are not stored. */
export const hashRequest = (request: DeviceAuthRequest): string =>
  createHash('sha256').update(keyOf(request)).digest('hex')

/**
 * The answer to a board may get lost after its code was spent, so an identical request gets the same answer for a minute.
 * `forget` ends that for a board that has changed its owner or has none. After a restart, and from another instance, the
 * board gets new credentials instead (`wasAnswered`).
 */
export function createAnswerAgain(authenticate: Authenticate, clock: Pick<Clock, 'monotonic'>) {
  const answers = new Map<string, Entry>()

  function sweep(): void {
    for (const [key, { at }] of answers) {
      if (clock.monotonic() - at < againForMs && answers.size <= rememberedMax) return
      answers.delete(key)
    }
  }

  return {
    async authenticate(request: DeviceAuthRequest, from: { ip: string; host: string }): Promise<DeviceCredentials> {
      sweep()
      const key = keyOf(request)
      const known = answers.get(key)
      if (known !== undefined) return known.answer
      const answer = authenticate(request, from)
      const entry: Entry = { answer, at: clock.monotonic(), deviceId: null }
      answers.set(key, entry)
      try {
        const credentials = await answer
        entry.deviceId = credentials.deviceId
        return credentials
      } catch (error) {
        // Refusals are not repeated: the next attempt is judged again.
        answers.delete(key)
        throw error
      }
    },
    forget(deviceId: string): void {
      for (const [key, entry] of answers) if (entry.deviceId === deviceId) answers.delete(key)
    }
  }
}
