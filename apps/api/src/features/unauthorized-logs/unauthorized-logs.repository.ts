import { containsText } from '../../platform/paging.ts'
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
  list(query: {
    search?: string | undefined
    sort?: string | undefined
    skip: number
    limit: number
  }): Promise<{ logs: UnauthorizedLog[]; total: number }>
  find(id: string): Promise<UnauthorizedLog | null>
  remove(id: string): Promise<void>
  countOf(ip: string): Promise<number>
  count(): Promise<number>
  /** `null` keeps the rows of an address for good. */
  setExpiry(ip: string, expiresAt: number | null): Promise<void>
}

const sortable = new Set(['ip', 'method', 'url', 'attempts', 'timestamp'])

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
    async list({ search, sort = '', skip, limit }) {
      const text = search?.trim() ?? ''
      const pattern = containsText(text)
      const filter = text === '' ? {} : { $or: [{ ip: pattern }, { url: pattern }] }
      const field = sort.replace(/^-/, '')
      const order: Record<string, 1 | -1> = sortable.has(field)
        ? { [field]: sort.startsWith('-') ? -1 : 1, _id: 1 }
        : { timestamp: -1 }
      const [documents, total] = await Promise.all([
        model.find(filter).sort(order).skip(skip).limit(limit).lean<UnauthorizedLogDocument[]>(),
        model.countDocuments(filter)
      ])
      return { logs: documents.map(present), total }
    },
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
