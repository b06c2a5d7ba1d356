import { Types } from 'mongoose'
import { expect, onTestFinished, test } from 'vitest'
import { connectTestDatabase } from '../../testing/test-database.ts'
import { createDeviceClaimModel } from './device-claim.model.ts'
import { createDeviceClaimsRepository } from './device-claims.repository.ts'

test('codes of which people are still to be told are found, however many were used and never finished', async () => {
  const { connection, close } = await connectTestDatabase()
  onTestFinished(close)
  const model = createDeviceClaimModel(connection)
  const claims = createDeviceClaimsRepository(model)
  const expiresAt = new Date('2026-11-20T06:00:00Z')
  const claim = (codeHash: string) => ({
    userId: String(new Types.ObjectId()),
    codeHash,
    expiresAt,
    createdAt: new Date('2026-11-20T05:50:00Z')
  })
  // The api was killed between taking their boards and answering.
  const used = Array.from({ length: 100 }, (_, index) => ({ ...claim(`used ${index}`), usedAt: expiresAt }))
  await model.insertMany(used.map((each) => ({ ...each, step: 'reached', usedBy: '34:98:7A:0C:51:E2' })))
  await claims.insert(claim('waiting'))
  expect((await claims.listExpired(expiresAt)).map(({ codeHash }) => codeHash)).toEqual(['waiting'])
})
