import type { UserListRecord, UserRecord } from '@batti/contracts'
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

export interface HomeCounts {
  deviceCount: number
  scheduleCount: number
  roomCount: number
}

export interface UserQuery {
  page?: number | undefined
  limit?: number | undefined
  search?: string | undefined
  sort?: string | undefined
}

export interface UsersService {
  list(actor: Actor, query: UserQuery): Promise<{ users: UserListRecord[] } & ReturnType<typeof pageInfo>>
  /** @throws AppError CONFLICT, VALIDATION. */
  create(input: Omit<NewAccount, 'permissions'>, by: ActingStaff): Promise<UserListRecord>
  /** @throws AppError NOT_FOUND, CONFLICT, VALIDATION. A new role holds from the next request on. */
  change(id: string, changes: Omit<AccountChanges, 'permissions'>, by: ActingStaff): Promise<UserListRecord>
  /** @throws AppError NOT_FOUND, CONFLICT. */
  remove(id: string, by: ActingStaff): Promise<void>
}

export function createUsersService(deps: {
  directory: AccountDirectory
  present(account: AccountRecord): UserRecord
  countHomesOf(userIds: readonly string[]): Promise<Map<string, HomeCounts>>
}): UsersService {
  const { directory } = deps

  const withCounts = async (accounts: readonly AccountRecord[]): Promise<UserListRecord[]> => {
    const counts = await deps.countHomesOf(accounts.map(({ id }) => id))
    const nothing = { deviceCount: 0, scheduleCount: 0, roomCount: 0 }
    return accounts.map((account) => ({ ...deps.present(account), ...(counts.get(account.id) ?? nothing) }))
  }
  const single = async (account: AccountRecord): Promise<UserListRecord> => {
    const [record] = await withCounts([account])
    return record ?? { ...deps.present(account), deviceCount: 0, scheduleCount: 0, roomCount: 0 }
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
      const users = maySeeAddresses(actor) ? records : records.map(({ address: _address, ...record }) => record)
      return { users, ...pageInfo(page, total) }
    },
    create: async (input, by) => single(await directory.create({ ...input, permissions: [] }, by)),
    change: async (id, changes, by) => single(await directory.change(id, changes, by)),
    remove: (id, by) => directory.erase(id, by)
  }
}
