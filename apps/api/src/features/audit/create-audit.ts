import { dayMs } from '@batti/kit/durations'
import { Types } from 'mongoose'
import type { Audit, AuditedWrite, AuditSubject } from '../../platform/audit.ts'
import type { Clock } from '@batti/kit/clock'
import type { RunInTransaction } from '../../platform/store/transactions.ts'
import type { AuditLogsRepository } from './audit-logs.repository.ts'
import { changesOf } from './changes-of.ts'

const labelMaxLength = 200

/** Creates the only function by which features write audit rows. */
export function createAudit(deps: {
  logs: Pick<AuditLogsRepository, 'insert'>
  inTransaction: RunInTransaction
  clock: Clock
  keptDays: number
}): Audit {
  const { logs, inTransaction, clock } = deps

  return (by, write, work) => {
    if (by.actor.role === 'user' && write.byAnybody !== true) return work()
    return inTransaction(async () => {
      const before = await find(write, write.id)
      const result = await work()
      const id = write.id ?? idOf(result)
      const after = await find(write, id)
      const changes = changesOf(before?.fields ?? null, after?.fields ?? null)
      if (changes.length === 0 && write.label === undefined) return result
      const at = clock.now()
      await logs.insert({
        at: new Date(at),
        actor: { _id: new Types.ObjectId(by.actor.userId), name: by.actor.name, role: by.actor.role },
        action: typeof write.action === 'function' ? write.action(before, after) : write.action,
        target: {
          kind: write.kind,
          _id: id ?? null,
          label: (after?.label ?? before?.label ?? write.label ?? '').slice(0, labelMaxLength)
        },
        changes,
        ip: by.ip,
        requestId: by.requestId,
        expiresAt: new Date(at + deps.keptDays * dayMs)
      })
      return result
    })
  }
}

async function find({ find: read }: AuditedWrite, id: string | undefined): Promise<AuditSubject | null> {
  return read === undefined || id === undefined ? null : read(id)
}

/** Returns the id of a record that was just created. */
function idOf(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null) return undefined
  const id: unknown = '_id' in result ? result._id : 'id' in result ? result.id : undefined
  return typeof id === 'string' ? id : undefined
}
