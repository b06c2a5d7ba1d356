import type { PageQuery, SessionRecord, UserListRecord, UserRecord } from '@batti/contracts'
import { notFound } from '../../platform/app-error.ts'
import type { Actor } from '../../platform/people/actor.ts'
import { pageInfo, pageOf } from '../../platform/paging.ts'
import type {
  AccountChanges,
  AccountDirectory,
  AccountRecord,
  ActingPerson,
  NewAccount
} from '../../platform/people/account-directory.ts'
import { maySeeAddresses } from './users.policy.ts'

interface HomeCounts {
  deviceCount: number
  scheduleCount: number
  roomCount: number
}

export function createUsersService(deps: {
  directory: AccountDirectory
  present(account: AccountRecord): UserRecord
  sessionsOf(userId: string): Promise<Omit<SessionRecord, 'current'>[]>
  /** Counts the boards, schedules and rooms of each account. */
  countHomesOf(userIds: readonly string[]): Promise<(userId: string) => HomeCounts>
}) {
  const { directory } = deps

  const withCounts = async (accounts: readonly AccountRecord[]): Promise<UserListRecord[]> => {
    const countsOf = await deps.countHomesOf(accounts.map(({ id }) => id))
    return accounts.map((account) => ({ ...deps.present(account), ...countsOf(account.id) }))
  }
  const single = async (account: AccountRecord): Promise<UserListRecord> => {
    const countsOf = await deps.countHomesOf([account.id])
    return { ...deps.present(account), ...countsOf(account.id) }
  }

  const find = async (id: string): Promise<AccountRecord> => {
    const account = await directory.find(id)
    if (account === null) throw notFound('User')
    return account
  }

  return {
    async list(actor: Actor, query: PageQuery): Promise<{ users: UserListRecord[] } & ReturnType<typeof pageInfo>> {
      const page = pageOf(query)
      const { accounts, total } = await directory.list({
        search: query.search,
        sort: query.sort,
        skip: page.skip,
        limit: page.limit
      })
      const records = await withCounts(accounts)
      return { users: records.map((record) => asSeenBy(actor, record)), ...pageInfo(page, total) }
    },
    /** @throws AppError NOT_FOUND. */
    get: async (actor: Actor, id: string): Promise<UserListRecord> => asSeenBy(actor, await single(await find(id))),
    /** Returns the sessions of an account. @throws AppError NOT_FOUND. */
    async listSessions(id: string): Promise<Omit<SessionRecord, 'current'>[]> {
      await find(id)
      return deps.sessionsOf(id)
    },
    /** @throws AppError CONFLICT, VALIDATION. */
    create: async (input: Omit<NewAccount, 'permissions'>, by: ActingPerson): Promise<UserListRecord> =>
      single(await directory.create({ ...input, permissions: [] }, by)),
    /** @throws AppError NOT_FOUND, CONFLICT, VALIDATION. A new role applies from the next request on. */
    change: async (
      id: string,
      changes: Omit<AccountChanges, 'permissions'>,
      by: ActingPerson
    ): Promise<UserListRecord> => single(await directory.change(id, changes, by)),
    /** Marks the account; the returned function erases it. @throws AppError NOT_FOUND, CONFLICT. */
    remove: (id: string, by: ActingPerson): Promise<() => Promise<void>> => directory.beginErasure(id, by)
  }
}
export type UsersService = ReturnType<typeof createUsersService>

function asSeenBy(actor: Actor, record: UserListRecord): UserListRecord {
  if (maySeeAddresses(actor)) return record
  const { address: _address, ...rest } = record
  return rest
}
