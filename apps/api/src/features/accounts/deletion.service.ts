import { conflict, notFound } from '../../app-error.ts'
import type { Clock } from '../../clock.ts'
import type { EventBus } from '../../events.ts'
import type { Mail } from '../../mail/mail.ts'
import type { Messages } from '../../mail/messages.ts'
import type { Outgoing } from '../../mail/outgoing.ts'
import type { AccountRecord } from '../../ports/account-directory.ts'
import type { SecurityLog } from '../../security-log.ts'
import type { AccountsRepository } from './accounts.repository.ts'
import type { Codes } from './codes.ts'

export interface DeletionService {
  /** Erases an account and everything of it. @throws AppError NOT_FOUND, CONFLICT for the last admin. */
  erase(userId: string, by: { userId: string; ip: string; requestId: string }): Promise<void>
  /** Finishes what a stop in the middle left half done. */
  resume(): Promise<void>
}

export function createDeletionService(deps: {
  accounts: AccountsRepository
  codes: Codes
  endSessions(userId: string): Promise<void>
  /** Releases boards and removes rooms, schedules, favourites; safe to repeat. */
  eraseHomeOf(userId: string): Promise<void>
  removeImage(key: string): Promise<void>
  mail: Outgoing<Mail>
  messages: Messages
  clock: Clock
  events: EventBus
  security: SecurityLog
}): DeletionService {
  const { accounts, codes, mail, messages, clock, events, security } = deps

  /** Each step may be repeated; the record goes last, so that nothing is forgotten when the process stops in between. */
  async function eraseAll(account: AccountRecord): Promise<void> {
    await deps.endSessions(account.id)
    await deps.eraseHomeOf(account.id)
    await codes.forgetAllOf(account.id)
    if (account.imageKey !== null) await deps.removeImage(account.imageKey)
    await accounts.remove(account.id)
    events.emit('account-deleted', { userId: account.id })
  }

  return {
    async erase(userId, by) {
      const account = await accounts.findById(userId)
      if (account === null || account.deletingAt !== null) throw notFound('User')
      if (account.role === 'admin' && (await accounts.countByRole('admin')) === 1) {
        throw conflict('This is the only admin. Make somebody else an admin first.')
      }
      // From here on nobody can log in to it, whatever happens to this process.
      const marked = await accounts.update(userId, { deletingAt: new Date(clock.now()) }, clock.now())
      // Somebody else was quicker; what is erased is what stood there at this moment, not what was read before.
      if (marked === null || marked === 'taken') throw notFound('User')
      await eraseAll(marked)
      security('account-deleted', { actor: by.userId, account: userId, ip: by.ip, requestId: by.requestId })
      mail.sendSoon(() => messages.noticeMail('account-deleted', { ...account, email: account.loginEmail }))
    },
    async resume() {
      for (const account of await accounts.findManyById(await accounts.listBeingDeleted())) await eraseAll(account)
    }
  }
}
