import { addressGroup } from '@batti/kit/address'
import type { QueryFilter } from 'mongoose'
import { containsText, type SortOrder } from '../../platform/paging.ts'
import type { UnauthorizedLogDocument, UnauthorizedLogModel } from './unauthorized-log.model.ts'

/** Refusals of one (address, method, path), counted in memory until they are stored. */
export interface CountedRefusal extends Pick<
  UnauthorizedLogDocument,
  'ip' | 'method' | 'url' | 'userAgent' | 'attempts'
> {
  timestamp: number
}

/** Only these addresses, or all others. */
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
    ...(to === undefined ? {} : { $lte: new Date(to) })
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

export function createUnauthorizedLogsRepository(model: UnauthorizedLogModel) {
  return {
    async add(refusals: readonly (CountedRefusal & { expiresAt: number | null })[]): Promise<void> {
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
    list: ({ order, skip, limit, ...filter }: LogFilter & { order: SortOrder; skip: number; limit: number }) =>
      model.find(conditionOf(filter)).sort(order).skip(skip).limit(limit).lean<UnauthorizedLogDocument[]>(),
    countOfFilter: (filter: LogFilter) => model.countDocuments(conditionOf(filter)),
    /** Returns the distinct addresses of the matching rows. */
    addressesOf: (filter: LogFilter) => model.distinct('ip', conditionOf(filter)),
    find: (id: string) => model.findById(id).lean<UnauthorizedLogDocument>(),
    remove: (id: string) => model.deleteOne({ _id: id }),
    countOf: (ip: string) => model.countDocuments({ ip }),
    count: () => model.estimatedDocumentCount(),
    /** `null` keeps the rows of an address forever. */
    async setExpiry(ip: string, expiresAt: number | null): Promise<void> {
      const update = expiresAt === null ? { $unset: { expiresAt: 1 } } : { $set: { expiresAt: new Date(expiresAt) } }
      await model.updateMany({ ip }, update)
    }
  }
}
export type UnauthorizedLogsRepository = ReturnType<typeof createUnauthorizedLogsRepository>
