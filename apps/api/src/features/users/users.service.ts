import type { PageQuery, SessionRecord, UserListRecord, UserRecord } from '@batti/contracts'
import { notFound } from '../../platform/app-error.ts'
import type { Actor } from '../../platform/people/actor.ts'
import { pageInfo, pageOf } from '../../platform/paging.ts'
import type {
  AccountChanges,
  AccountDirectory,
  AccountRecord,
  ActingStaff,
  NewAccount
} from '../../platform/people/account-directory.ts'
import { maySeeAddresses } from './users.policy.ts'

interface HomeCounts {
  deviceCount: number
  scheduleCount: number
  roomCount: number
}

export interface UsersService {
  list(actor: Actor, query: PageQuery): Promise<{ users: UserListRecord[] } & ReturnType<typeof pageInfo>>
  /** @throws AppError NOT_FOUND. */
  get(actor: Actor, id: string): Promise<UserListRecord>
  /** Where an account is logged in. @throws AppError NOT_FOUND. */
  listSessions(id: string): Promise<Omit<SessionRecord, 'current'>[]>
  /** @throws AppError CONFLICT, VALIDATION. */
  create(input: Omit<NewAccount, 'permissions'>, by: ActingStaff): Promise<UserListRecord>
  /** @throws AppError NOT_FOUND, CONFLICT, VALIDATION. A new role holds from the next request on. */
  change(id: string, changes: Omit<AccountChanges, 'permissions'>, by: ActingStaff): Promise<UserListRecord>
  /** What it answers erases the account that it marks. @throws AppError NOT_FOUND, CONFLICT. */
  remove(id: string, by: ActingStaff): Promise<() => Promise<void>>
}

export function createUsersService(deps: {
  directory: AccountDirectory
  present(account: AccountRecord): UserRecord
  sessionsOf(userId: string): Promise<Omit<SessionRecord, 'current'>[]>
  /** Boards, schedules and rooms of each account. */
  countHomesOf(userIds: readonly string[]): Promise<(userId: string) => HomeCounts>
}): UsersService {
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
    async list(actor, query) {
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
    get: async (actor, id) => asSeenBy(actor, await single(await find(id))),
    async listSessions(id) {
      await find(id)
      return deps.sessionsOf(id)
    },
    create: async (input, by) => single(await directory.create({ ...input, permissions: [] }, by)),
    change: async (id, changes, by) => single(await directory.change(id, changes, by)),
    remove: (id, by) => directory.beginErasure(id, by)
  }
}

function asSeenBy(actor: Actor, record: UserListRecord): UserListRecord {
  if (maySeeAddresses(actor)) return record
  const { address: _address, ...rest } = record
  return rest
}
