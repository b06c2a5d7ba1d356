import { conflict } from '../../app-error.ts'
import type { AccountsRepository } from './accounts.repository.ts'

export interface AdminRoster {
  /** Writes a change that may take an admin away. @throws AppError CONFLICT when nobody else administers. */
  change: AccountsRepository['update']
}

/** Sees to it that somebody always administers. */
export function createAdminRoster(accounts: Pick<AccountsRepository, 'updateUnlessLastAdmin'>): AdminRoster {
  return {
    async change(id, changes, now) {
      const changed = await accounts.updateUnlessLastAdmin(id, changes, now)
      if (changed === 'last-admin') throw conflict('This is the only admin. Make somebody else an admin first.')
      return changed
    }
  }
}
