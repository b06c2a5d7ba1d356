import type { AccountRecord } from '../../platform/people/account-directory.ts'
import type { AccountDocument } from './account.model.ts'

/** Returns an account without the fields that only the database uses. */
export function accountOf(document: AccountDocument): AccountRecord {
  const {
    _id,
    updatedAt: _updatedAt,
    rosterRev: _roster,
    homeRev: _home,
    counts: _counts,
    searchKeys: _keys,
    ...fields
  } = document
  // Accounts of early versions have no guard field.
  return { id: String(_id), ...fields, resetGuard: fields.resetGuard ?? null }
}
