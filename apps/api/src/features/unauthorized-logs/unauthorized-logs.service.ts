import type { AddressImpact, PageQuery, RefusalsOfHour, UnauthorizedLogRecord } from '@batti/contracts'
import { conflict, invalid, notFound } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import type { SecurityLog } from '../../platform/log/security-log.ts'
import { pageInfo, pageOf } from '../../platform/paging.ts'
import type { ActingPerson } from '../../platform/people/account-directory.ts'
import { addressGroup } from '@batti/kit/address'
import type { AddressBlocks } from './address-blocks.ts'
import type { AddressBook } from './address-book.ts'
import { expiryOf, type RefusalCounter } from './refusal-counter.ts'
import type { UnauthorizedLogDocument } from './unauthorized-log.model.ts'
import { createSortedLogs } from './sorted-logs.ts'
import type { LogFilter, UnauthorizedLogsRepository } from './unauthorized-logs.repository.ts'

type LogQuery = PageQuery & {
  blocked?: boolean | undefined
  from?: string | undefined
  to?: string | undefined
}

interface BlockChange {
  blocked: boolean
  until?: string | null | undefined
  seen?: { blocked: boolean; until: string | null } | undefined
}

type LogPage = ReturnType<typeof pageInfo> & {
  logs: UnauthorizedLogRecord[]
  byHour: RefusalsOfHour[]
  byBlock: { blocked: number; unblocked: number }
}

/** A placeholder row for a blocked address whose last row was deleted, so that it can be unblocked; kept until the block ends. */
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
  const listSorted = createSortedLogs(deps)

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

  /** A repeated change is none, whatever was seen. @throws AppError CONFLICT. */
  async function refuseUnseen(ip: string, { seen, ...wanted }: BlockChange): Promise<void> {
    if (seen === undefined) return
    const stored = await blocks.storedUntilOf(ip)
    if (stored === untilOf(seen) || stored === untilOf(wanted)) return
    if (stored === undefined) throw conflict('This address is not blocked any more.')
    throw conflict('Another admin has blocked this address meanwhile. The list shows until when.')
  }

  return {
    async list({ blocked, sort, ...query }: LogQuery): Promise<LogPage> {
      // Stores recent refusals first, so that the page shows them.
      await refusals.flush()
      const page = pageOf(query)
      const filter: LogFilter = {
        search: query.search,
        from: query.from,
        to: query.to,
        addresses: blocked === undefined ? undefined : { are: blocked ? 'these' : 'others', list: blocks.all() }
      }
      const [found, ofAll, ofBlocked, byHour] = await Promise.all([
        listSorted(filter, sort, page),
        logs.countOfFilter({ ...filter, addresses: undefined }),
        logs.countOfFilter({ ...filter, addresses: { are: 'these', list: blocks.all() } }),
        deps.lastHours()
      ])
      // Indexes count both of the above; the rows of all other addresses would be read one by one.
      const ofOthers = ofAll - ofBlocked
      const total = blocked === undefined ? ofAll : blocked ? ofBlocked : ofOthers
      return {
        logs: await present(found),
        byHour,
        byBlock: { blocked: ofBlocked, unblocked: ofOthers },
        ...pageInfo(page, total)
      }
    },

    /** Returns what a block of the row's address would affect. @throws AppError NOT_FOUND. */
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
    async setBlocked(id: string, change: BlockChange, by: ActingPerson): Promise<UnauthorizedLogRecord> {
      const row = await find(id)
      await refuseUnseen(row.ip, change)
      const facts = { actor: by.userId, ip: by.ip, requestId: by.requestId, detail: row.ip }
      const end = untilOf(change)
      if (end !== undefined) {
        if (end !== null && end <= clock.now()) throw invalid('until', 'must lie in the future')
        if (addressGroup(row.ip) === addressGroup(by.ip)) throw conflict('This is the address you are using.')
        if (deps.isNeverBlocked(row.ip)) throw conflict('This address belongs to the server or to its proxy.')
        if (await addresses().hasAdmin(row.ip)) throw conflict('An admin is logged in from this address.')
        await logs.setExpiry(row.ip, expiryOf(end, clock.now()))
        await blocks.block(row.ip, by.userId, end)
        security('address-blocked', facts)
      } else {
        await blocks.unblock(row.ip)
        await logs.setExpiry(row.ip, expiryOf(end, clock.now()))
        security('address-unblocked', facts)
      }
      const [record] = await present([row])
      if (record === undefined) throw notFound('Log')
      // Built from the request, because the block applies only once it is stored, which may be a moment later.
      const until = typeof end === 'number' ? new Date(end).toISOString() : null
      return { ...record, blocked: change.blocked, until }
    },

    /** Deletes a row; a block of its address stays. @throws AppError NOT_FOUND. */
    async remove(id: string, by: ActingPerson): Promise<void> {
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

/** When a block ends in milliseconds: null for never, undefined for no block. */
function untilOf({ blocked, until }: BlockChange): number | null | undefined {
  if (!blocked) return undefined
  return until === undefined || until === null ? null : Date.parse(until)
}
