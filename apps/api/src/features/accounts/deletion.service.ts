import { notFound, unauthenticated } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import type { EventBus } from '../../platform/events.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { Messages } from '../../platform/mail/messages.ts'
import type { Outgoing } from '../../platform/mail/outgoing.ts'
import type { AccountRecord, ActingPerson } from '../../platform/people/account-directory.ts'
import type { SecurityLog } from '../../platform/log/security-log.ts'
import type { AdminRoster } from './admin-roster.ts'
import type { AccountsRepository } from './accounts.repository.ts'
import type { Codes } from './codes/codes.ts'

export function createDeletionService(deps: {
  accounts: AccountsRepository
  codes: Codes
  endSessions(userId: string): Promise<void>
  /** Releases boards and removes rooms, schedules and favourites; idempotent. */
  eraseHomeOf(userId: string): Promise<void>
  removeImage(key: string): Promise<void>
  admins: AdminRoster
  mail: Outgoing<Mail>
  messages: Messages
  clock: Clock
  events: EventBus
  security: SecurityLog
  /** Delay before a failed erasure is retried. */
  retryMs?: number
}) {
  const { accounts, admins, codes, mail, messages, clock, events, security, retryMs = minuteMs } = deps

  /**
   * Erases all, and tells the person. Every step is repeatable. The record is removed last, so that nothing is left behind if
   * the process stops in between.
   */
  async function eraseAll(account: AccountRecord, by: Partial<ActingPerson> = {}): Promise<void> {
    await deps.endSessions(account.id)
    await deps.eraseHomeOf(account.id)
    await codes.forgetAllOf(account.id)
    if (account.imageKey !== null) await deps.removeImage(account.imageKey)
    // Again, because calls in progress when the account was marked have finished by now.
    await deps.eraseHomeOf(account.id)
    // Another instance may have finished it.
    if (await accounts.remove(account.id)) {
      mail.sendSoon(() => messages.noticeMail('account-deleted', { ...account, email: account.loginEmail }))
      security('account-deleted', { actor: by.userId, account: account.id, ip: by.ip, requestId: by.requestId })
    }
    events.emit('account-deleted', { userId: account.id })
  }

  /** Marks the account, so that nobody can log in from here on, whatever happens to this process. Returns its last state. */
  async function mark(userId: string, isOwn: boolean): Promise<AccountRecord> {
    const gone = () => (isOwn ? unauthenticated() : notFound('User'))
    const account = await accounts.findById(userId)
    if (account === null || account.deletingAt !== null) throw gone()
    await admins.refuseLast(account)
    const marked = await accounts.update(userId, { deletingAt: new Date(clock.now()) }, clock.now())
    if (marked === null || marked === 'taken') throw gone()
    return marked
  }

  /** Retries until done: nobody can request the erasure of a marked account again. A stop leaves it to the next start. */
  function tryLater(erase: () => Promise<void>): void {
    setTimeout(() => void erase().catch(() => tryLater(erase)), retryMs).unref()
  }

  return {
    /**
     * Marks an account, so that nobody can log in to it. Call the returned function once the mark is stored: it erases
     * everything of the account. @throws AppError CONFLICT for the last admin, NOT_FOUND,
     * or UNAUTHENTICATED to a person whose own account is gone.
     */
    async begin(userId: string, by: ActingPerson): Promise<() => Promise<void>> {
      const account = await admins.exclusively(() => mark(userId, by.userId === userId))
      const erase = (): Promise<void> => eraseAll(account, by)
      return async () => {
        try {
          await erase()
        } catch (error) {
          tryLater(erase)
          throw error
        }
      }
    },
    /** Finishes erasures that a stop interrupted. */
    async resume(): Promise<void> {
      for (const account of await accounts.findManyById(await accounts.listBeingDeleted())) await eraseAll(account)
    }
  }
}
export type DeletionService = ReturnType<typeof createDeletionService>
