import type { AuditAction } from '@batti/contracts'
import { Types, type Model, type QueryFilter } from 'mongoose'
import { containsText, type Page, type SortOrder } from '../../platform/paging.ts'
import type { AuditLogDocument } from './audit-log.model.ts'

export interface AuditFilter {
  actor?: string | undefined
  target?: string | undefined
  action?: AuditAction | undefined
  search?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export function createAuditLogsRepository(model: Model<AuditLogDocument>) {
  return {
    async insert(row: Omit<AuditLogDocument, '_id'>): Promise<void> {
      await model.create(row)
    },
    async list(filter: AuditFilter, order: SortOrder, page: Page) {
      const condition = conditionOf(filter)
      const [rows, total] = await Promise.all([
        model.find(condition).sort(order).skip(page.skip).limit(page.limit).lean<AuditLogDocument[]>(),
        model.countDocuments(condition)
      ])
      return { rows, total }
    }
  }
}
export type AuditLogsRepository = ReturnType<typeof createAuditLogsRepository>

function conditionOf({ actor, target, action, search, from, to }: AuditFilter): QueryFilter<AuditLogDocument> {
  const text = containsText(search ?? '')
  const since = from === undefined ? {} : { $gte: new Date(from) }
  const before = to === undefined ? {} : { $lt: new Date(to) }
  return {
    ...(actor === undefined ? {} : { 'actor._id': new Types.ObjectId(actor) }),
    ...(target === undefined ? {} : { 'target._id': target }),
    ...(action === undefined ? {} : { action }),
    ...(from === undefined && to === undefined ? {} : { at: { ...since, ...before } }),
    ...(search === undefined || search.trim() === '' ? {} : { $or: [{ 'target.label': text }, { 'actor.name': text }] })
  }
}
