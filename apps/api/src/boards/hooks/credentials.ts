import { Types, type Model } from 'mongoose'
import { loadTogether } from '../../platform/store/load-together.ts'
import type { DeviceDocument } from '../registry/device.model.ts'

type Credential = Pick<DeviceDocument, 'credentialHash' | 'pendingHash'>

/** What a CONNECT is held against, and no more. */
export function createCredentials(devices: Model<DeviceDocument>) {
  /**
   * Straight through the driver: thousands of boards may come back at once. That nothing is kept matters here: a credential
   * that was taken back must not open anything a moment later.
   */
  const findCredential = loadTogether<Credential>(
    async (ids) => {
      const found = await devices.collection
        .find<Credential & Pick<DeviceDocument, '_id'>>(
          { _id: { $in: ids.map((id) => new Types.ObjectId(id)) } },
          { projection: { credentialHash: 1, pendingHash: 1 } }
        )
        .toArray()
      return new Map(found.map((credential) => [String(credential._id), credential]))
    },
    { gatherMs: 0 }
  )

  return {
    /** Null for a board that does not exist. */
    findCredential,
    /** The new credential has been used: the old one is dead. */
    promoteCredential: (id: string, pendingHash: string) =>
      devices.updateOne({ _id: id, pendingHash }, { $set: { credentialHash: pendingHash, pendingHash: null } })
  }
}
