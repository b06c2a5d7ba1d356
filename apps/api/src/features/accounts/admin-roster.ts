import { conflict } from '../../platform/app-error.ts'
import { limitConcurrency } from '../../platform/limit-concurrency.ts'
import type { AccountRecord } from '../../platform/people/account-directory.ts'
import type { AccountsRepository } from './accounts.repository.ts'

export interface AdminRoster {
  /** Runs what may take an admin away, one at a time: two who take each other's place away at once would leave none. */
  exclusively<T>(task: () => Promise<T>): Promise<T>
  /** For use in turn. @throws AppError CONFLICT when this account is the only one that administers. */
  refuseLast(account: Pick<AccountRecord, 'role'>): Promise<void>
}

/** Sees to it that somebody always administers. The turns are this process's own. */
export function createAdminRoster(accounts: Pick<AccountsRepository, 'countByRole' | 'claimRoster'>): AdminRoster {
  return {
    exclusively: limitConcurrency(1),
    async refuseLast({ role }) {
      if (role !== 'admin') return
      await accounts.claimRoster()
      if ((await accounts.countByRole('admin')) === 1)
        throw conflict('This is the only admin. Make somebody else an admin first.')
    }
  }
}
