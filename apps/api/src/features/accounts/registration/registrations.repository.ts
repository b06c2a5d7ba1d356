import { isDuplicateKey } from '../../../platform/store/database.ts'
import { whileCoolingDown } from '../codes/cool-down.ts'
import type { RegistrationDocument, RegistrationModel } from './registration.model.ts'

export type Registration = Omit<RegistrationDocument, '_id'> & { id: string }

export function createRegistrationsRepository(model: RegistrationModel) {
  return {
    /** Stores a registration, replacing one past its cool-down; otherwise returns the younger one that blocks it. */
    async put(registration: Omit<Registration, 'id'>): Promise<'stored' | Registration> {
      const { emailKey, createdAt } = registration
      const old = { emailKey, createdAt: { $not: whileCoolingDown(createdAt.getTime()) } }
      const { matchedCount } = await model.updateOne(old, { $set: registration })
      if (matchedCount === 1) return 'stored'
      try {
        await model.create(registration)
        return 'stored'
      } catch (error) {
        const existing = isDuplicateKey(error) ? await model.findOne({ emailKey }).lean<RegistrationDocument>() : null
        if (existing === null) throw error
        return present(existing)
      }
    },
    /** Counts one try of a code and returns the registration; null when it has expired or was tried too often. */
    async countAttempt(tokenHash: string, now: number, attemptsMax: number): Promise<Registration | null> {
      const document = await model
        .findOneAndUpdate(
          { tokenHash, codeExpiresAt: { $gt: new Date(now) }, attempts: { $lt: attemptsMax } },
          { $inc: { attempts: 1 } },
          { returnDocument: 'after' }
        )
        .lean<RegistrationDocument>()
      return document === null ? null : present(document)
    },
    async remove(id: string): Promise<void> {
      await model.deleteOne({ _id: id })
    }
  }
}
export type RegistrationsRepository = ReturnType<typeof createRegistrationsRepository>

const present = ({ _id, ...fields }: RegistrationDocument): Registration => ({ id: String(_id), ...fields })
