import type { AuditAction } from '@batti/contracts'
import type { Actor } from './people/actor.ts'

/** What an audit row says of a record: its label for people, and its fields. */
export interface AuditSubject {
  label: string
  fields: Readonly<Record<string, unknown>>
}

export interface AuditedWrite {
  action: AuditAction | ((before: AuditSubject | null, after: AuditSubject | null) => AuditAction)
  /** The kind of record and its id. Without an id, the id of the write's result is used. */
  kind: string
  id?: string
  /** Returns the record, null if there is none; called before and after the write. */
  find?: (id: string) => Promise<AuditSubject | null>
  /** For writes that concern no record: they always leave a row. */
  label?: string
  /** Leaves a row whoever writes: for writes to the security of an account. */
  byAnybody?: boolean
}

export interface AuditedBy {
  actor: Pick<Actor, 'userId' | 'name' | 'role'>
  ip: string
  requestId: string
}

/**
 * Runs a write, and stores who changed what in the same transaction. A user's own write leaves no row, nor does a write
 * that changes nothing. Side effects outside the database wait for the commit (`afterCommit`).
 */
export type Audit = <Result>(by: AuditedBy, write: AuditedWrite, work: () => Promise<Result>) => Promise<Result>

/** Fields that people neither set nor see. */
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

/** Returns a reader of a record for an audit row: the stored document without the fields that nobody sets. */
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
