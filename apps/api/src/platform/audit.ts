import type { AuditAction } from '@batti/contracts'
import type { Actor } from './people/actor.ts'

/** What a row says of the record that was written: what people call it, and its fields. */
export interface AuditSubject {
  label: string
  fields: Readonly<Record<string, unknown>>
}

export interface AuditedWrite {
  action: AuditAction | ((before: AuditSubject | null, after: AuditSubject | null) => AuditAction)
  /** The record's kind, and its id; without an id it is that of what the write answers. */
  kind: string
  id?: string
  /** The record as it stands, null where there is none; read before and after. */
  find?: (id: string) => Promise<AuditSubject | null>
  /** For what is no record: always leaves a row. */
  label?: string
  /** Leaves a row whoever writes: for what concerns the security of an account. */
  byAnybody?: boolean
}

export interface AuditedBy {
  actor: Pick<Actor, 'userId' | 'name' | 'role'>
  ip: string
  requestId: string
}

/**
 * Runs a write and leaves a row of who changed what, in one transaction with it. A user's own write leaves none, nor does
 * one that changes nothing. What the write starts beside the database waits for the commit (`afterCommit`).
 */
export type Audit = <Result>(by: AuditedBy, write: AuditedWrite, work: () => Promise<Result>) => Promise<Result>

/** What people neither wrote nor read. */
const ownOfTheDatabase = [
  '_id',
  '__v',
  'createdAt',
  'updatedAt',
  'createdBy',
  'updatedBy',
  'list',
  'counts',
  'searchKeys'
]

/** Reads a record for a row: the stored document, less what nobody sets. */
export function auditSubject<Document extends object>(
  find: (id: string) => PromiseLike<Document | null>,
  labelOf: (document: Document) => string,
  leftOut: readonly string[] = []
): (id: string) => Promise<AuditSubject | null> {
  const unset = new Set([...ownOfTheDatabase, ...leftOut])
  return async (id) => {
    const document = await find(id)
    if (document === null) return null
    const fields = Object.entries(document).filter(([field]) => !unset.has(field))
    return { label: labelOf(document), fields: Object.fromEntries(fields) }
  }
}
