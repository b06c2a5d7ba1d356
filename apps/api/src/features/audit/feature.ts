import { listAuditLogs, type AuditLogRecord } from '@batti/contracts'
import { on } from '../../platform/http/call.ts'
import { orderOf, pageInfo, pageOf } from '../../platform/paging.ts'
import type { Platform } from '../../platform/platform.ts'
import { ensureIndexes } from '../../platform/store/ensure-indexes.ts'
import { createAuditLogModel, type AuditLogDocument } from './audit-log.model.ts'
import { createAuditLogsRepository } from './audit-logs.repository.ts'
import { createAudit } from './create-audit.ts'

/** The audit log: what staff changed, and what anybody changed in the security of an account. */
export function createAuditFeature({
  config,
  connection,
  inTransaction,
  clock
}: Pick<Platform, 'config' | 'connection' | 'inTransaction' | 'clock'>) {
  const model = createAuditLogModel(connection)
  const logs = createAuditLogsRepository(model)

  return {
    routes: [
      on(listAuditLogs, async ({ query }) => {
        const page = pageOf(query)
        const { rows, total } = await logs.list(query, orderOf(query.sort, { at: -1 }, sortFields), page)
        return { logs: rows.map(present), ...pageInfo(page, total) }
      })
    ],
    audit: createAudit({
      logs,
      inTransaction,
      clock,
      keptDays: config.AUDIT_LOG_DAYS
    }),
    indexes: () => ensureIndexes(model)
  }
}

const sortFields = { actor: 'actor.name', target: 'target.label', changes: 'changes.field' }

const present = ({ _id, at, actor, action, target, changes, ip, requestId }: AuditLogDocument): AuditLogRecord => ({
  _id: String(_id),
  at: at.toISOString(),
  actor: { _id: String(actor._id), name: actor.name, role: actor.role },
  action,
  target,
  changes: changes.map(({ field, before = null, after = null }) => ({ field, before, after })),
  ip,
  requestId
})
