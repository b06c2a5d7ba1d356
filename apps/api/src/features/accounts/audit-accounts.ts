import type { AuditAction } from '@batti/contracts'
import type { Audit, AuditedWrite } from '../../platform/audit.ts'
import type { AccountRecord } from '../../platform/people/account-directory.ts'
import type { Client } from '../../platform/people/client.ts'

/** Leaves a row of what somebody writes to the security of an account: their own, or the one that is named. */
export type AuditOf = (
  by: AccountRecord,
  client: Client,
  id?: string
) => <Result>(action: AuditAction, work: () => Promise<Result>) => Promise<Result>

export function createAuditOf(audit: Audit, find: AuditedWrite['find'] & object): AuditOf {
  return ({ id: userId, name, role }, { ip, requestId }, id = userId) => {
    const by = { actor: { userId, name, role }, ip, requestId }
    return (action, work) => audit(by, { action, kind: 'user', id, find, byAnybody: true }, work)
  }
}
