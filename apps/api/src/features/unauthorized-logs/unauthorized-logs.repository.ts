import { addressGroup } from '@batti/kit/address'
import type { QueryFilter } from 'mongoose'
import { containsText, type SortOrder } from '../../platform/paging.ts'
import type { UnauthorizedLogDocument, UnauthorizedLogModel } from './unauthorized-log.model.ts'

export interface UnauthorizedLog {
  id: string
  ip: string
  method: string
  url: string
  userAgent: string
  attempts: number
  timestamp: Date
}

/** Refusals of one (address, method, path), counted in memory until they are stored. */
export interface CountedRefusal {
  ip: string
  method: string
  url: string
  userAgent: string
  attempts: number
  timestamp: number
}

export interface UnauthorizedLogsRepository {
  add(refusals: readonly (CountedRefusal & { expiresAt: number | null })[]): Promise<void>
  list(query: LogFilter & { order: SortOrder; skip: number; limit: number }): Promise<UnauthorizedLog[]>
  countOfFilter(filter: LogFilter): Promise<number>
  /** The addresses of the rows found, each once. */
  addressesOf(filter: LogFilter): Promise<string[]>
  find(id: string): Promise<UnauthorizedLog | null>
  remove(id: string): Promise<void>
  countOf(ip: string): Promise<number>
  count(): Promise<number>
  /** `null` keeps the rows of an address for good. */
  setExpiry(ip: string, expiresAt: number | null): Promise<void>
}

/** These addresses alone, or all others. */
export interface AddressGroup {
  are: 'these' | 'others'
  list: readonly string[]
}

export interface LogFilter {
  search?: string | undefined
  addresses?: AddressGroup | undefined
  from?: string | undefined
  to?: string | undefined
}

function conditionOf({ search, addresses, from, to }: LogFilter): QueryFilter<UnauthorizedLogDocument> {
  const pattern = containsText(search ?? '')
  const time = {
    ...(from === undefined ? {} : { $gte: new Date(from) }),
    ...(to === undefined ? {} : { $lt: new Date(to) })
  }
  const list = addresses === undefined ? [] : [...addresses.list]
  return {
    ...(search === undefined || search.trim() === ''
      ? {}
      : { $or: [{ ip: pattern }, { ip: addressGroup(search.trim()) }, { url: pattern }] }),
    ...(from === undefined && to === undefined ? {} : { timestamp: time }),
    ...(addresses === undefined ? {} : { ip: addresses.are === 'these' ? { $in: list } : { $nin: list } })
  }
}

export function createUnauthorizedLogsRepository(model: UnauthorizedLogModel): UnauthorizedLogsRepository {
  return {
    async add(refusals) {
      if (refusals.length === 0) return
      await model.bulkWrite(
        refusals.map(({ ip, method, url, userAgent, attempts, timestamp, expiresAt }) => ({
          updateOne: {
            filter: { ip, method, url },
            update: {
              $inc: { attempts },
              $set: {
                userAgent,
                timestamp: new Date(timestamp),
                ...(expiresAt === null ? {} : { expiresAt: new Date(expiresAt) })
              }
            },
            upsert: true
          }
        })),
        { ordered: false }
      )
    },
    async list({ order, skip, limit, ...filter }) {
      const documents = await model
        .find(conditionOf(filter))
        .sort(order)
        .skip(skip)
        .limit(limit)
        .lean<UnauthorizedLogDocument[]>()
      return documents.map(present)
    },
    countOfFilter: (filter) => model.countDocuments(conditionOf(filter)),
    addressesOf: (filter) => model.distinct('ip', conditionOf(filter)),
    async find(id) {
      const document = await model.findById(id).lean<UnauthorizedLogDocument>()
      return document === null ? null : present(document)
    },
    async remove(id) {
      await model.deleteOne({ _id: id })
    },
    countOf: (ip) => model.countDocuments({ ip }),
    count: () => model.estimatedDocumentCount(),
    async setExpiry(ip, expiresAt) {
      const update = expiresAt === null ? { $unset: { expiresAt: 1 } } : { $set: { expiresAt: new Date(expiresAt) } }
      await model.updateMany({ ip }, update)
    }
  }
}

const present = ({
  _id,
  ip,
  method,
  url,
  userAgent,
  attempts,
  timestamp
}: UnauthorizedLogDocument): UnauthorizedLog => ({
  id: String(_id),
  ip,
  method,
  url,
  userAgent,
  attempts,
  timestamp
})
