import { createHash } from 'node:crypto'
import { auditSubject } from '../../platform/audit.ts'
import type { NoticeFacts, NoticeKind } from '../../platform/mail/texts/notices.ts'
import type { AccountRecord } from '../../platform/people/account-directory.ts'
import type { ListColumns } from '../../platform/store/lists/list-columns.ts'
import type { Platform } from '../../platform/platform.ts'
import { ensureIndexes } from '../../platform/store/ensure-indexes.ts'
import { createAccountModel } from './account.model.ts'
import { createAccountsRepository } from './accounts.repository.ts'
import { emailKeyOf } from './email-key.ts'

/** A person as shown by other features. */
export interface PersonSummary {
  _id: string
  name: string
  email: string
  phone: string | null
}

export type People = ReturnType<typeof createPeople>

/** Accounts before any login: what sessions, and every feature that names people, need. */
export function createPeople(deps: Pick<Platform, 'connection' | 'mail' | 'messages'> & { columns: ListColumns }) {
  const { connection, mail, messages } = deps
  const model = createAccountModel(connection)
  const accounts = createAccountsRepository(model, deps.columns)

  return {
    accounts,
    find: (userId: string): Promise<AccountRecord | null> => accounts.findById(userId),
    findMany: accounts.findManyById,
    /** Omits unknown ids and accounts that are being deleted. */
    async findPeople(ids: readonly string[]): Promise<Map<string, PersonSummary>> {
      const found = await accounts.findManyById(ids)
      const staying = found.filter(({ deletingAt }) => deletingAt === null)
      return new Map(staying.map(({ id, name, email, phone }) => [id, { _id: id, name, email, phone }]))
    },
    /** Call before creating something for another person: false for an account that is gone or being deleted. */
    claimHome: accounts.claimHome,
    /** Returns the ids of people whose name, e-mail or phone contains the text; null if there are too many. */
    searchPeople: accounts.findIdsByText,
    /** Reads an account for a row of the audit log. */
    auditSubject: auditSubject(
      async (id) => {
        const account = await accounts.findById(id)
        return account?.deletingAt === null ? { ...account, profileImage: account.imageKey } : null
      },
      ({ name }) => name,
      notSetByPeople
    ),
    timezoneOf: async (userId: string): Promise<string | null> => (await accounts.findById(userId))?.timezone ?? null,
    /** Mails a notice to the account's own address, in its language, in the background. */
    async notify(userId: string, kind: NoticeKind, facts?: NoticeFacts): Promise<void> {
      const account = await accounts.findById(userId)
      if (account !== null)
        mail.sendSoon(() => messages.noticeMail(kind, { ...account, email: account.loginEmail }, facts))
    },
    /** Returns the marks by e-mail, without unknown accounts and those without a password. */
    async passwordMarks(emails: readonly string[]): Promise<Map<string, string>> {
      const marks = new Map<string, string>()
      for (const email of emails) {
        const account = await accounts.findByLoginEmail(emailKeyOf(email) ?? '')
        if (account === null || account.passwordHash === null) continue
        marks.set(email, createHash('sha256').update(account.passwordHash).digest('base64url'))
      }
      return marks
    },
    /** For the staff dashboard. */
    countUsers: (): Promise<number> => accounts.count(),
    countMonitors: (): Promise<number> => accounts.countByRole('monitor'),
    indexes: () => ensureIndexes(model)
  }
}

/** Keys and bookkeeping that people do not set. */
const notSetByPeople = [
  'id',
  'emailKey',
  'loginEmailKey',
  'loginEmail',
  'loginEmailVerified',
  'loginPhone',
  'loginPhoneVerified',
  'phoneClaimedAt',
  'imageKey',
  'knownIps',
  'resetGuard',
  'deletingAt'
]
