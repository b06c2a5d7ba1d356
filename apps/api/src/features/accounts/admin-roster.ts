import { conflict } from '../../platform/app-error.ts'
import { limitConcurrency } from '../../platform/limit-concurrency.ts'
import type { AccountRecord } from '../../platform/people/account-directory.ts'
import type { AccountsRepository } from './accounts.repository.ts'

export interface AdminRoster {
  /** Runs one at a time what may remove an admin: two admins who remove each other at once would leave none. */
  exclusively<T>(task: () => Promise<T>): Promise<T>
  /** Call it inside `exclusively`. @throws AppError CONFLICT when this account is the only admin. */
  refuseLast(account: Pick<AccountRecord, 'role'>): Promise<void>
}

/** Ensures that there is always an admin. `exclusively` covers only this process. */
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
