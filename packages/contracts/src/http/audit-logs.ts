import { z } from 'zod'
import { roles } from '../constants.ts'
import { objectId } from '../ids.ts'
import { instantText, isoDate, pageInfo, sortedQuery } from './fields.ts'
import { adminOnly, route } from './route.ts'

/** Everything that is audited: writes by staff, and writes by anybody to the security of an account. */
export const auditActions = [
  'user.create',
  'user.update',
  'user.delete',
  'user.change-password',
  'user.reset-password',
  'user.change-email',
  'user.change-phone',
  'user.end-session',
  'monitor.create',
  'monitor.update',
  'monitor.delete',
  'device-type.create',
  'device-type.update',
  'device-type.delete',
  'device.create',
  'device.update',
  'device.move',
  'device.delete',
  'room.create',
  'room.update',
  'room.delete',
  'switch.create',
  'switch.update',
  'switch.delete',
  'schedule.create',
  'schedule.update',
  'schedule.delete',
  'action-log.delete',
  'action-log.clear',
  'address.block',
  'address.unblock',
  'unauthorized-log.delete',
  'firmware-file.create',
  'firmware-file.update',
  'firmware-file.delete',
  'firmware.update',
  'rollout.create',
  'rollout.update',
  'rollout.retry',
  'rollout.roll-forward',
  'bulk.create',
  'share.create',
  'share.update',
  'share.delete'
] as const
export const auditAction = z.enum(auditActions)
export type AuditAction = z.infer<typeof auditAction>

/** One field before and after. For a secret both are null; long values are cut at 200 characters. */
export const auditChange = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })
export type AuditChange = z.infer<typeof auditChange>

export const auditLogRecord = z.object({
  _id: z.string(),
  at: isoDate,
  actor: z.object({ _id: z.string(), name: z.string(), role: z.enum(roles) }),
  action: auditAction,
  target: z.object({ kind: z.string(), _id: z.string().nullable(), label: z.string() }),
  changes: z.array(auditChange),
  ip: z.string(),
  requestId: z.string()
})
export type AuditLogRecord = z.infer<typeof auditLogRecord>

export const listAuditLogs = route({
  method: 'get',
  path: '/audit-logs',
  summary: 'Who changed what, newest first; `actor` is the id of a user, `target` of what was changed',
  access: adminOnly,
  query: sortedQuery(['at', 'actor', 'action', 'target', 'changes', 'ip']).extend({
    actor: objectId.optional(),
    target: objectId.optional(),
    action: auditAction.optional(),
    from: instantText.optional(),
    to: instantText.optional()
  }),
  rows: 'logs',
  answer: z.object({ logs: z.array(auditLogRecord), ...pageInfo })
})
