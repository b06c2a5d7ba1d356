import { orderOf, type Page, type SortOrder } from '../../platform/paging.ts'
import type { AddressBlocks } from './address-blocks.ts'
import type { AddressBook } from './address-book.ts'
import type { UnauthorizedLogDocument } from './unauthorized-log.model.ts'
import type { AddressGroup, LogFilter, UnauthorizedLogsRepository } from './unauthorized-logs.repository.ts'

/** Returns pages of rows in any order that the table offers, including values that belong to the address instead of the row. */
export function createSortedLogs({
  logs,
  blocks,
  addresses
}: {
  logs: UnauthorizedLogsRepository
  blocks: Pick<AddressBlocks, 'all'>
  addresses(): Pick<AddressBook, 'usersAt'>
}) {
  /** Returns a page from consecutive groups of addresses, for values that rows do not store. */
  async function listInGroups(
    filter: LogFilter,
    groups: readonly AddressGroup[],
    page: Omit<Page, 'page'> & { order: SortOrder }
  ) {
    const { order, limit } = page
    const rows: UnauthorizedLogDocument[] = []
    let { skip } = page
    for (const group of groups) {
      if (rows.length === limit) break
      const part = { ...filter, addresses: group }
      rows.push(...(await logs.list({ ...part, order, skip, limit: limit - rows.length })))
      skip = Math.max(0, skip - (await logs.countOfFilter(part)))
    }
    return rows
  }

  /** Log rows do not store blocks, so the list in memory gives the groups. */
  function groupsByBlock(filter: LogFilter): readonly AddressGroup[] {
    if (filter.addresses !== undefined) return [filter.addresses]
    const list = blocks.all()
    return [
      { are: 'others', list },
      { are: 'these', list }
    ]
  }

  /** Addresses with the fewest accounts first. */
  async function groupsByUsers(filter: LogFilter): Promise<readonly AddressGroup[]> {
    const usersAt = await addresses().usersAt(await logs.addressesOf(filter))
    const groups = [...Map.groupBy(usersAt, ([, users]) => users.length)].toSorted(([a], [b]) => a - b)
    return groups.map(([, found]) => ({ are: 'these', list: found.map(([ip]) => ip) }))
  }

  async function groupsOf(filter: LogFilter, column: string | undefined): Promise<readonly AddressGroup[] | null> {
    if (column === 'blocked') return groupsByBlock(filter)
    return column === 'users' ? groupsByUsers(filter) : null
  }

  return async (filter: LogFilter, sort: string | undefined, { skip, limit }: Omit<Page, 'page'>) => {
    const groups = await groupsOf(filter, sort?.replace(/^-/, ''))
    if (groups === null) return logs.list({ ...filter, order: orderOf(sort, { timestamp: -1 }), skip, limit })
    return sort?.startsWith('-') === true
      ? listInGroups(filter, groups.toReversed(), { skip, limit, order: { _id: -1 } })
      : listInGroups(filter, groups, { skip, limit, order: { _id: 1 } })
  }
}
