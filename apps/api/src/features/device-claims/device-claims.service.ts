import { claimLifetimeMs, type ClaimProgress, type DeviceClaim } from '@batti/contracts'
import { randomBytes } from 'node:crypto'
import type { Actor } from '../../platform/people/actor.ts'
import { notFound, tryAgainAfter } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import type { EventBus } from '../../platform/events.ts'
import { createLimitByKey } from '../../platform/limit-by-key.ts'
import type { ClaimStep, DeviceClaimDocument } from './device-claim.model.ts'
import type { DeviceClaimsRepository, StepFacts } from './device-claims.repository.ts'
import { formatPairingCode, hashPairingCode } from './pairing-code.ts'

export interface DeviceClaimsOptions {
  claims: DeviceClaimsRepository
  clock: Clock
  events: EventBus
  /** Pairing codes a minute per account; 0 turns the limit off. */
  claimsPerMinute: number
  /** Whether no other instance creates codes. */
  isAlone: boolean
}

/** Pairing codes: created for a person, used once by a board, with every step announced live. */
export function createDeviceClaimsService(options: DeviceClaimsOptions) {
  const { claims, clock, events, claimsPerMinute } = options
  const claimRate = { perSecond: claimsPerMinute / 60, burst: claimsPerMinute }
  const mayClaim = createLimitByKey(claimRate, clock.monotonic)
  /** When the last open code expires. A code from before the start lives no longer than one created now. */
  let lastEndsAt = clock.now() + claimLifetimeMs
  let isNoneOpen = false

  function progressOf(claim: DeviceClaimDocument, now: number): ClaimProgress {
    const isOver = claim.expiresAt.getTime() <= now && claim.usedAt === null
    return {
      id: String(claim._id),
      step: isOver ? 'expired' : claim.step,
      ...(claim.deviceId === null ? {} : { deviceId: String(claim.deviceId) }),
      ...(isOver
        ? { detail: 'The pairing code has expired. Make a new one.' }
        : claim.detail === null
          ? {}
          : { detail: claim.detail })
    }
  }

  async function advance(claim: DeviceClaimDocument, step: ClaimStep, more: StepFacts = {}): Promise<void> {
    const updated = await claims.setStep(claim._id, step, more)
    if (updated !== null)
      events.emit('claim-progressed', { userId: String(updated.userId), progress: progressOf(updated, clock.now()) })
  }

  return {
    /** POST /device-claims: creates a code of 80 bits, valid for ten minutes and one board. */
    async create(actor: Actor): Promise<DeviceClaim> {
      const now = clock.now()
      if (!mayClaim(actor.userId)) throw tryAgainAfter(60)
      const code = formatPairingCode(randomBytes(10))
      const expiresAt = new Date(now + claimLifetimeMs)
      lastEndsAt = Math.max(lastEndsAt, expiresAt.getTime())
      isNoneOpen = false
      const claim = await claims.insert({
        userId: actor.userId,
        codeHash: hashPairingCode(code),
        expiresAt,
        createdAt: new Date(now)
      })
      return { id: String(claim._id), code, userId: `${actor.userId}.${code}`, expiresAt: expiresAt.toISOString() }
    },

    /** GET /device-claims/{id}. */
    async get(actor: Actor, id: string): Promise<ClaimProgress> {
      const claim = await claims.findById(id)
      if (claim === null || String(claim.userId) !== actor.userId) throw notFound('Pairing')
      return progressOf(claim, clock.now())
    },

    advance,

    /** Completes the pairing of a board that has connected, and earlier ones that it never came back from. */
    async markOnline(deviceId: string): Promise<void> {
      for (const claim of (await claims.listClaimedOfDevice(deviceId)) ?? [])
        await advance(claim, 'online', { deviceId })
    },

    /** Tells people whose code expired while they waited. Skips the query while no code can be open. */
    async sweepExpired(): Promise<void> {
      if (options.isAlone && isNoneOpen) return
      const now = clock.now()
      const expired = await claims.listExpired(new Date(now))
      isNoneOpen = expired.length === 0 && now > lastEndsAt
      for (const claim of expired)
        await advance(claim, 'expired', { detail: 'The pairing code has expired. Make a new one.' })
    },

    deleteOfUser: async (userId: string): Promise<void> => void (await claims.deleteOfUser(userId))
  }
}
export type DeviceClaimsService = ReturnType<typeof createDeviceClaimsService>
