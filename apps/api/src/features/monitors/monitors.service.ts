import type { MonitorPermission, MonitorRecord, PageQuery } from '@batti/contracts'
import { notFound } from '../../platform/app-error.ts'
import { pageInfo, pageOf } from '../../platform/paging.ts'
import type { AccountDirectory, AccountRecord, ActingStaff } from '../../platform/people/account-directory.ts'

export interface MonitorInput {
  name: string
  phone: string
  email: string
  permissions: MonitorPermission[]
}

export interface MonitorsService {
  list(query: PageQuery): Promise<{ monitors: MonitorRecord[] } & ReturnType<typeof pageInfo>>
  /** Makes the account and mails an invitation to set a password. @throws AppError CONFLICT, VALIDATION, UNAVAILABLE. */
  create(input: MonitorInput, by: ActingStaff): Promise<MonitorRecord>
  /** Replaces; what was taken away ends at once. @throws AppError NOT_FOUND, CONFLICT, VALIDATION. */
  replace(id: string, input: MonitorInput, by: ActingStaff): Promise<MonitorRecord>
  /** What it answers erases the account that it marks. @throws AppError NOT_FOUND. */
  remove(id: string, by: ActingStaff): Promise<() => Promise<void>>
}

export function createMonitorsService({ directory }: { directory: AccountDirectory }): MonitorsService {
  /** Somebody who is no monitor is not found here: users are edited elsewhere. */
  const refuseOthers = async (id: string): Promise<void> => {
    if ((await directory.find(id))?.role !== 'monitor') throw notFound('Monitor')
  }
  const once = (permissions: MonitorPermission[]): MonitorPermission[] => [...new Set(permissions)]

  return {
    async list(query) {
      const page = pageOf(query)
      const { search, sort } = query
      const found = await directory.list({ role: 'monitor', search, sort, skip: page.skip, limit: page.limit })
      return { monitors: found.accounts.map(presentMonitor), ...pageInfo(page, found.total) }
    },
    async create(input, by) {
      const permissions = once(input.permissions)
      return presentMonitor(await directory.create({ ...input, permissions, password: null, role: 'monitor' }, by))
    },
    async replace(id, input, by) {
      await refuseOthers(id)
      return presentMonitor(await directory.change(id, { ...input, permissions: once(input.permissions) }, by))
    },
    async remove(id, by) {
      await refuseOthers(id)
      return directory.beginErasure(id, by)
    }
  }
}

const presentMonitor = ({ id, name, phone, email, permissions, createdAt }: AccountRecord): MonitorRecord => ({
  _id: id,
  name,
  phone,
  email,
  permissions: [...permissions],
  createdAt: createdAt.toISOString()
})
