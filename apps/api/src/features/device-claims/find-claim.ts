import type { Clock } from '@batti/kit/clock'
import { unavailable } from '../../platform/app-error.ts'
import type { DeviceClaimDocument } from './device-claim.model.ts'
import type { DeviceClaimsRepository } from './device-claims.repository.ts'
import { hashPairingCode } from './pairing-code.ts'

/** Finds the pairing that a board's request belongs to. */
export function createFindClaim(deps: {
  claims: Pick<DeviceClaimsRepository, 'findOpenWindow' | 'findUsable' | 'isBeingUsed'>
  clock: Pick<Clock, 'now'>
  allowLegacyPairing: boolean
}) {
  const { claims, clock, allowLegacyPairing } = deps

  /** `code`: null for firmware in the field, which sends the user's id alone. */
  async function findClaim(
    { userId, code }: { userId: string; code: string | null },
    mac: string
  ): Promise<DeviceClaimDocument | null> {
    const now = new Date(clock.now())
    if (code === null) return allowLegacyPairing ? claims.findOpenWindow(userId, now) : null
    const codeHash = hashPairingCode(code)
    const claim = await claims.findUsable(userId, codeHash, { mac, now })
    if (claim === null) await waitForEarlier(userId, codeHash, mac)
    return claim
  }

  /** A board whose earlier request is not answered yet, or was cut off by the end of an instance, must not give up. */
  async function waitForEarlier(userId: string, codeHash: string, mac: string): Promise<void> {
    if (await claims.isBeingUsed(userId, codeHash, { mac, now: new Date(clock.now()) }))
      throw unavailable('This board is being set up. Please try again after 5 seconds.')
  }

  return { findClaim, waitForEarlier }
}
export type FindClaim = ReturnType<typeof createFindClaim>
