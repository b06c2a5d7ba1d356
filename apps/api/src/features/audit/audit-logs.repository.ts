import type { AuditAction } from '@batti/contracts'
import { Types, type Model, type QueryFilter } from 'mongoose'
import { containsText, type Page, type SortOrder } from '../../platform/paging.ts'
import { hasKey, type TextSearch } from '../../platform/store/lists/search-keys.ts'
import { findSortedPage } from '../../platform/store/lists/sorted-page.ts'
import { auditSearched, type AuditLogDocument } from './audit-log.model.ts'

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
    list: (filter: AuditFilter, order: SortOrder, page: Page) =>
      findSortedPage(model, conditionOf(filter), { order, page, search: searchOf(filter) })
  }
}
export type AuditLogsRepository = ReturnType<typeof createAuditLogsRepository>

function searchOf({ search }: AuditFilter): TextSearch | undefined {
  const text = search?.trim() ?? ''
  if (text === '') return undefined
  return {
    byKeys: auditSearched.map((field) => hasKey(field, text)),
    byReading: auditSearched.map((field) => ({ [field]: containsText(text) }))
  }
}

function conditionOf({ actor, target, action, from, to }: AuditFilter): QueryFilter<AuditLogDocument> {
  const since = from === undefined ? {} : { $gte: new Date(from) }
  const until = to === undefined ? {} : { $lte: new Date(to) }
  return {
    ...(actor === undefined ? {} : { 'actor._id': new Types.ObjectId(actor) }),
    ...(target === undefined ? {} : { 'target._id': target }),
    ...(action === undefined ? {} : { action }),
    ...(from === undefined && to === undefined ? {} : { at: { ...since, ...until } })
  }
}
