import type { MonitorPermission, MonitorRecord, PageQuery } from '@batti/contracts'
import { notFound } from '../../platform/app-error.ts'
import { pageInfo, pageOf } from '../../platform/paging.ts'
import type { AccountDirectory, AccountRecord, ActingPerson } from '../../platform/people/account-directory.ts'

export interface MonitorInput {
  name: string
  phone: string
  email: string
  permissions: MonitorPermission[]
}

export function createMonitorsService({ directory }: { directory: AccountDirectory }) {
  /** Accounts that are not monitors are not found here: users are edited elsewhere. */
  const refuseOthers = async (id: string): Promise<void> => {
    if ((await directory.find(id))?.role !== 'monitor') throw notFound('Monitor')
  }
  const once = (permissions: MonitorPermission[]): MonitorPermission[] => [...new Set(permissions)]

  return {
    async list(query: PageQuery): Promise<{ monitors: MonitorRecord[] } & ReturnType<typeof pageInfo>> {
      const page = pageOf(query)
      const { search, sort } = query
      const found = await directory.list({ role: 'monitor', search, sort, skip: page.skip, limit: page.limit })
      return { monitors: found.accounts.map(presentMonitor), ...pageInfo(page, found.total) }
    },
    /** Creates the account and mails an invitation to set a password. @throws AppError CONFLICT, VALIDATION, UNAVAILABLE. */
    async create(input: MonitorInput, by: ActingPerson): Promise<MonitorRecord> {
      const permissions = once(input.permissions)
      return presentMonitor(await directory.create({ ...input, permissions, password: null, role: 'monitor' }, by))
    },
    /** Replaces a monitor; revoked permissions end at once. @throws AppError NOT_FOUND, CONFLICT, VALIDATION. */
    async replace(id: string, input: MonitorInput, by: ActingPerson): Promise<MonitorRecord> {
      await refuseOthers(id)
      return presentMonitor(await directory.change(id, { ...input, permissions: once(input.permissions) }, by))
    },
    /** Marks the account; the returned function erases it. @throws AppError NOT_FOUND. */
    async remove(id: string, by: ActingPerson): Promise<() => Promise<void>> {
      await refuseOthers(id)
      return directory.beginErasure(id, by)
    }
  }
}
export type MonitorsService = ReturnType<typeof createMonitorsService>

const presentMonitor = ({ id, name, phone, email, permissions, createdAt }: AccountRecord): MonitorRecord => ({
  _id: id,
  name,
  phone,
  email,
  permissions: [...permissions],
  createdAt: createdAt.toISOString()
})
