import DataLoader from 'dataloader'
import { Types, type Model } from 'mongoose'
import type { DeviceDocument } from '../registry/device.model.ts'

type Credential = Pick<DeviceDocument, 'credentialHash' | 'pendingHash'>

/** What a CONNECT is held against, and no more. */
export function createCredentials(devices: Model<DeviceDocument>) {
  /**
   * Those asked for in one turn are read together, straight through the driver: thousands of boards may come back at once.
   * Nothing is kept: a credential that was taken back must not open anything a moment later.
   */
  const credentials = new DataLoader<string, Credential | null>(
    async (ids) => {
      const found = await devices.collection
        .find<Credential & Pick<DeviceDocument, '_id'>>(
          { _id: { $in: ids.map((id) => new Types.ObjectId(id)) } },
          { projection: { credentialHash: 1, pendingHash: 1 } }
        )
        .toArray()
      const byId = new Map(found.map((credential) => [String(credential._id), credential]))
      return ids.map((id) => byId.get(id) ?? null)
    },
    { cache: false }
  )

  return {
    /** Null for a board that does not exist. */
    findCredential: (id: string): Promise<Credential | null> => credentials.load(id),
    /** The new credential has been used: the old one is dead. */
    promoteCredential: (id: string, pendingHash: string) =>
      devices.updateOne({ _id: id, pendingHash }, { $set: { credentialHash: pendingHash, pendingHash: null } })
  }
}
