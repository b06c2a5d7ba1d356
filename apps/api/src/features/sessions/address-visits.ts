import { dayMs } from '@batti/kit/durations'
import { Schema, Types, type Connection } from 'mongoose'
import { addressGroup } from '@batti/kit/address'

const keptDays = 30

export interface AddressVisitDocument {
  /** Address and account, so that each pair has one row. */
  _id: string
  ip: string
  userId: Types.ObjectId
  at: Date
}

const schema = new Schema<AddressVisitDocument>(
  {
    _id: String,
    ip: { type: String, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    at: { type: Date, required: true }
  },
  { collection: 'address_visits', versionKey: false }
)
schema.index({ ip: 1, at: -1 })
schema.index({ userId: 1 })
schema.index({ at: 1 }, { expireAfterSeconds: keptDays * 86_400 })

/** Records which accounts were seen at an address: at login, and whenever a session is renewed. */
export function createAddressVisits(connection: Connection) {
  const model = connection.model('AddressVisit', schema)
  return {
    model,
    async note(address: string, userId: string, now: number): Promise<void> {
      const ip = addressGroup(address)
      const fields = { ip, userId: new Types.ObjectId(userId), at: new Date(now) }
      await model.updateOne({ _id: `${ip} ${userId}` }, { $set: fields }, { upsert: true })
    },
    async forget(userId: string): Promise<void> {
      await model.deleteMany({ userId })
    },
    /** Returns the accounts seen at each address in the last 30 days, newest first. */
    async usersAt(addresses: readonly string[], now: number): Promise<Map<string, string[]>> {
      const since = new Date(now - keptDays * dayMs)
      const found = await model
        .find({ ip: { $in: addresses.map(addressGroup) }, at: { $gte: since } })
        .sort({ at: -1 })
        .lean<AddressVisitDocument[]>()
      const byIp = Map.groupBy(found, ({ ip }) => ip)
      return new Map(
        addresses.map((address) => [
          address,
          (byIp.get(addressGroup(address)) ?? []).map(({ userId }) => String(userId))
        ])
      )
    }
  }
}
