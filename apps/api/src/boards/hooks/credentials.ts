import { Types, type Model } from 'mongoose'
import { loadTogether } from '../../platform/store/batches/load-together.ts'
import type { DeviceDocument } from '../registry/device.model.ts'

type Credential = Pick<DeviceDocument, 'credentialHash' | 'pendingHash'>

/** Reads only what a CONNECT is checked against. */
export function createCredentials(devices: Model<DeviceDocument>) {
  /**
   * Queries through the driver, because thousands of boards may reconnect at once. Nothing is cached: a revoked credential
   * must stop working immediately.
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
    /** Returns null for a board that does not exist. */
    findCredential,
    /** Makes the pending credential the current one after its first use. The old one stops working. */
    promoteCredential: (id: string, pendingHash: string) =>
      devices.updateOne({ _id: id, pendingHash }, { $set: { credentialHash: pendingHash, pendingHash: null } })
  }
}
