import type { AddressImpact, PageQuery, RefusalsOfHour, UnauthorizedLogRecord } from '@batti/contracts'
import { conflict, invalid, notFound } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import type { SecurityLog } from '../../platform/log/security-log.ts'
import { orderOf, pageInfo, pageOf, type Page, type SortOrder } from '../../platform/paging.ts'
import { addressGroup } from '@batti/kit/address'
import type { AddressBlocks } from './address-blocks.ts'
import { keptDays, type RefusalCounter } from './refusal-counter.ts'
import type { UnauthorizedLogDocument } from './unauthorized-log.model.ts'
import type { AddressGroup, LogFilter, UnauthorizedLogsRepository } from './unauthorized-logs.repository.ts'

type LogQuery = PageQuery & {
  blocked?: boolean | undefined
  from?: string | undefined
  to?: string | undefined
}

interface ActingAdmin {
  userId: string
  ip: string
  requestId: string
}

type LogPage = ReturnType<typeof pageInfo> & {
  logs: UnauthorizedLogRecord[]
  byHour: RefusalsOfHour[]
  byBlock: { blocked: number; unblocked: number }
}

/** Who has been seen at an address; answered by those who keep accounts, sessions and boards. */
export interface AddressBook {
  /** Accounts seen at each address in the last 30 days. */
  usersAt(ips: readonly string[]): Promise<Map<string, string[]>>
  /** Whether a live session of an admin is there. */
  hasAdmin(ip: string): Promise<boolean>
  nameUsers(ids: readonly string[]): Promise<{ _id: string; name: string }[]>
  /** Boards of these accounts, and boards connected from there. */
  countBoards(ip: string, userIds: readonly string[]): Promise<number>
}

/** What stands for an address whose last row was deleted while it is blocked, so that it can be unblocked, until the block ends. */
const blockedRow = { method: 'BLOCKED', url: '*' }
const sampleSize = 5

export function createUnauthorizedLogsService(deps: {
  logs: UnauthorizedLogsRepository
  refusals: RefusalCounter
  lastHours(): Promise<RefusalsOfHour[]>
  blocks: AddressBlocks
  addresses(): AddressBook
  isNeverBlocked(ip: string): boolean
  clock: Clock
  security: SecurityLog
}) {
  const { logs, refusals, blocks, addresses, clock, security } = deps

  async function present(rows: readonly UnauthorizedLogDocument[]): Promise<UnauthorizedLogRecord[]> {
    const usersAt = await addresses().usersAt([...new Set(rows.map(({ ip }) => ip))])
    return rows.map(({ _id, ip, method, url, userAgent, attempts, timestamp }) => {
      const until = blocks.untilOf(ip)
      return {
        _id: String(_id),
        ip,
        method,
        url,
        userAgent,
        attempts,
        timestamp: timestamp.toISOString(),
        blocked: until !== undefined,
        until: until === undefined || until === null ? null : new Date(until).toISOString(),
        users: usersAt.get(ip)?.length ?? 0
      }
    })
  }
  const find = async (id: string): Promise<UnauthorizedLogDocument> => {
    const row = await logs.find(id)
    if (row === null) throw notFound('Log')
    return row
  }

  /** A page of the rows of one group of addresses after the other, for what no row says itself. */
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

  /** Blocks stand in memory alone. */
  function groupsByBlock(filter: LogFilter): readonly AddressGroup[] {
    if (filter.addresses !== undefined) return [filter.addresses]
    const list = blocks.all()
    return [
      { are: 'others', list },
      { are: 'these', list }
    ]
  }

  /** Addresses with fewest accounts first. */
  async function groupsByUsers(filter: LogFilter): Promise<readonly AddressGroup[]> {
    const usersAt = await addresses().usersAt(await logs.addressesOf(filter))
    const groups = [...Map.groupBy(usersAt, ([, users]) => users.length)].toSorted(([a], [b]) => a - b)
    return groups.map(([, found]) => ({ are: 'these', list: found.map(([ip]) => ip) }))
  }

  async function groupsOf(filter: LogFilter, column: string | undefined): Promise<readonly AddressGroup[] | null> {
    if (column === 'blocked') return groupsByBlock(filter)
    return column === 'users' ? groupsByUsers(filter) : null
  }

  async function listSorted(filter: LogFilter, sort: string | undefined, { skip, limit }: Omit<Page, 'page'>) {
    const groups = await groupsOf(filter, sort?.replace(/^-/, ''))
    if (groups === null) return logs.list({ ...filter, order: orderOf(sort, { timestamp: -1 }), skip, limit })
    return sort?.startsWith('-') === true
      ? listInGroups(filter, groups.toReversed(), { skip, limit, order: { _id: -1 } })
      : listInGroups(filter, groups, { skip, limit, order: { _id: 1 } })
  }

  return {
    async list({ blocked, sort, ...query }: LogQuery): Promise<LogPage> {
      // What was refused a moment ago belongs on the page that is opened now.
      await refusals.flush()
      const page = pageOf(query)
      const filter: LogFilter = {
        search: query.search,
        from: query.from,
        to: query.to,
        addresses: blocked === undefined ? undefined : { are: blocked ? 'these' : 'others', list: blocks.all() }
      }
      const count = (are: 'these' | 'others') =>
        logs.countOfFilter({ ...filter, addresses: { are, list: blocks.all() } })
      const [found, ofBlocked, ofOthers, byHour] = await Promise.all([
        listSorted(filter, sort, page),
        count('these'),
        count('others'),
        deps.lastHours()
      ])
      const total = blocked === undefined ? ofBlocked + ofOthers : blocked ? ofBlocked : ofOthers
      return {
        logs: await present(found),
        byHour,
        byBlock: { blocked: ofBlocked, unblocked: ofOthers },
        ...pageInfo(page, total)
      }
    },

    /** What a block of the row's address would hit. @throws AppError NOT_FOUND. */
    async impact(id: string): Promise<AddressImpact> {
      const { ip } = await find(id)
      const users = (await addresses().usersAt([ip])).get(ip) ?? []
      const [boards, sample] = await Promise.all([
        addresses().countBoards(ip, users),
        addresses().nameUsers(users.slice(0, sampleSize))
      ])
      return { users: users.length, boards, sample }
    },

    /** Blocks or unblocks the row's address, everywhere and at once. @throws AppError NOT_FOUND, CONFLICT, VALIDATION. */
    async setBlocked(
      id: string,
      { blocked, until }: { blocked: boolean; until?: string | null | undefined },
      by: ActingAdmin
    ): Promise<UnauthorizedLogRecord> {
      const row = await find(id)
      const facts = { actor: by.userId, ip: by.ip, requestId: by.requestId, detail: row.ip }
      if (blocked) {
        const end = until === undefined || until === null ? null : Date.parse(until)
        if (end !== null && end <= clock.now()) throw invalid('until', 'must lie in the future')
        if (addressGroup(row.ip) === addressGroup(by.ip)) throw conflict('This is the address you are using.')
        if (deps.isNeverBlocked(row.ip)) throw conflict('This address belongs to the server or to its proxy.')
        if (await addresses().hasAdmin(row.ip)) throw conflict('An admin is logged in from this address.')
        await logs.setExpiry(row.ip, end === null ? null : Math.max(end, clock.now() + keptDays * 86_400_000))
        await blocks.block(row.ip, by.userId, end)
        security('address-blocked', facts)
      } else {
        await blocks.unblock(row.ip)
        await logs.setExpiry(row.ip, clock.now() + keptDays * 86_400_000)
        security('address-unblocked', facts)
      }
      const [record] = await present([row])
      if (record === undefined) throw notFound('Log')
      // Blocks are in force once they are stored, which may be a moment from now.
      const end = until === undefined || until === null ? null : new Date(until).toISOString()
      return { ...record, blocked, until: blocked ? end : null }
    },

    /** Deletes a row; a block of its address stays. @throws AppError NOT_FOUND. */
    async remove(id: string, by: ActingAdmin): Promise<void> {
      const row = await find(id)
      await logs.remove(id)
      if (blocks.isBlocked(row.ip) && (await logs.countOf(row.ip)) === 0) {
        const expiresAt = blocks.untilOf(row.ip) ?? null
        const rest = { ip: row.ip, userAgent: '', attempts: 0, timestamp: clock.now(), expiresAt }
        await logs.add([{ ...blockedRow, ...rest }])
      }
      const facts = { actor: by.userId, ip: by.ip, requestId: by.requestId }
      security('unauthorized-log-deleted', { ...facts, detail: `${row.ip} ${row.method} ${row.url}` })
    }
  }
}
export type UnauthorizedLogsService = ReturnType<typeof createUnauthorizedLogsService>
