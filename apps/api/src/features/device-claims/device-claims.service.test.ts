import { claimLifetimeMs, type ClaimProgress } from '@batti/contracts'
import { createFakeClock } from '@batti/kit/testing'
import { Types } from 'mongoose'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createEventBus } from '../../platform/events.ts'
import type { Actor } from '../../platform/people/actor.ts'
import type { DeviceClaimDocument } from './device-claim.model.ts'
import { createDeviceClaimsService, type DeviceClaimsOptions } from './device-claims.service.ts'

const sita = { userId: String(new Types.ObjectId()) } as Actor

/** Pairing codes on a database that counts the queries for expired ones. */
function claimsOf({ isAlone, claimsPerMinute = 600 }: { isAlone: boolean; claimsPerMinute?: number }) {
  const clock = createFakeClock()
  const events = createEventBus(pino({ enabled: false }))
  const told: ClaimProgress['step'][] = []
  events.on('claim-progressed', ({ progress }) => void told.push(progress.step))
  const stored: DeviceClaimDocument[] = []
  let asked = 0
  const claims = {
    async insert(claim: object) {
      const row = { _id: new Types.ObjectId(), step: 'waiting', detail: null, deviceId: null, usedAt: null, ...claim }
      stored.push(row as unknown as DeviceClaimDocument)
      return row
    },
    async setStep(id: Types.ObjectId, step: DeviceClaimDocument['step']) {
      const found = stored.find(({ _id }) => _id === id)
      return found === undefined ? null : Object.assign(found, { step })
    },
    async listExpired(now: Date) {
      asked += 1
      return stored.filter(({ expiresAt, step }) => expiresAt <= now && step === 'waiting')
    }
  } as unknown as DeviceClaimsOptions['claims']
  const service = createDeviceClaimsService({ claims, clock, events, claimsPerMinute, isAlone })
  return {
    clock,
    service,
    told,
    async sweepFor(ms: number): Promise<number> {
      const before = asked
      for (let passed = 0; passed < ms; passed += 5000) {
        clock.advance(5000)
        await service.sweepExpired()
      }
      return asked - before
    }
  }
}

test('a home queries for expired pairing codes while one may exist, also from before its start, and then no more', async () => {
  const { service, told, sweepFor } = claimsOf({ isAlone: true })
  expect(await sweepFor(claimLifetimeMs)).toBe(claimLifetimeMs / 5000)
  await sweepFor(60_000)
  expect(await sweepFor(claimLifetimeMs)).toBe(0)

  await service.create(sita)
  await sweepFor(claimLifetimeMs - 5000)
  expect(told).toEqual([])
  await sweepFor(5000)
  expect(told).toEqual(['expired'])
  await sweepFor(60_000)
  expect(await sweepFor(claimLifetimeMs)).toBe(0)
})

test('an api with other instances continues to query: those create codes too', async () => {
  const { sweepFor } = claimsOf({ isAlone: false })
  await sweepFor(claimLifetimeMs + 60_000)
  expect(await sweepFor(60_000)).toBe(12)
})

test('an account gets a limited number of codes a minute, and another account its own', async () => {
  const { clock, service } = claimsOf({ isAlone: true, claimsPerMinute: 2 })
  for (let code = 0; code < 2; code += 1) await service.create(sita)
  await expect(service.create(sita)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  await service.create({ ...sita, userId: String(new Types.ObjectId()) })
  clock.advance(30_000)
  await service.create(sita)
})
