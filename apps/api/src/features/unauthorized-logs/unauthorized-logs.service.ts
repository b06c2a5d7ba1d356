import { plainAddress } from '@batti/kit/address'
import type { UnauthorizedLogRecord } from '@batti/contracts'
import { conflict, notFound } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import { pageInfo, pageOf } from '../../platform/paging.ts'
import type { SecurityLog } from '../../platform/log/security-log.ts'
import type { AddressBlocks } from './address-blocks.ts'
import { keptDays, type RefusalCounter } from './refusal-counter.ts'
import type { UnauthorizedLog, UnauthorizedLogsRepository } from './unauthorized-logs.repository.ts'

export interface LogQuery {
  page?: number | undefined
  limit?: number | undefined
  search?: string | undefined
  sort?: string | undefined
}

interface ActingAdmin {
  userId: string
  ip: string
  requestId: string
}

export interface UnauthorizedLogsService {
  list(query: LogQuery): Promise<{ logs: UnauthorizedLogRecord[] } & ReturnType<typeof pageInfo>>
  /** Blocks or unblocks the row's address, everywhere and at once. @throws AppError NOT_FOUND, CONFLICT. */
  setBlocked(id: string, blocked: boolean, by: ActingAdmin): Promise<UnauthorizedLogRecord>
  /** Deletes a row; a block of its address stays. @throws AppError NOT_FOUND. */
  remove(id: string, by: ActingAdmin): Promise<void>
}

/** What stands for an address whose last row was deleted while it is blocked, so that it can be unblocked. */
const blockedRow = { method: 'BLOCKED', url: '*' }

export function createUnauthorizedLogsService(deps: {
  logs: UnauthorizedLogsRepository
  refusals: RefusalCounter
  blocks: AddressBlocks
  isNeverBlocked(ip: string): boolean
  clock: Clock
  security: SecurityLog
}): UnauthorizedLogsService {
  const { logs, refusals, blocks, clock, security } = deps
  const present = ({ id, timestamp, ...row }: UnauthorizedLog): UnauthorizedLogRecord => ({
    _id: id,
    ...row,
    timestamp: timestamp.toISOString(),
    blocked: blocks.isBlocked(row.ip)
  })
  const find = async (id: string): Promise<UnauthorizedLog> => {
    const row = await logs.find(id)
    if (row === null) throw notFound('Log')
    return row
  }

  return {
    async list(query) {
      // What was refused a moment ago belongs on the page that is opened now.
      await refusals.flush()
      const page = pageOf(query)
      const { logs: rows, total } = await logs.list({ ...query, skip: page.skip, limit: page.limit })
      return { logs: rows.map(present), ...pageInfo(page, total) }
    },
    async setBlocked(id, blocked, by) {
      const row = await find(id)
      const facts = { actor: by.userId, ip: by.ip, requestId: by.requestId, detail: row.ip }
      if (blocked) {
        if (plainAddress(row.ip) === plainAddress(by.ip)) throw conflict('This is the address you are using.')
        if (deps.isNeverBlocked(row.ip)) throw conflict('This address belongs to the server or to its proxy.')
        await logs.setExpiry(row.ip, null)
        await blocks.block(row.ip, by.userId, clock.now())
        security('address-blocked', facts)
      } else {
        await blocks.unblock(row.ip)
        await logs.setExpiry(row.ip, clock.now() + keptDays * 86_400_000)
        security('address-unblocked', facts)
      }
      return present(row)
    },
    async remove(id, by) {
      const row = await find(id)
      await logs.remove(id)
      if (blocks.isBlocked(row.ip) && (await logs.countOf(row.ip)) === 0) {
        const rest = { ip: row.ip, userAgent: '', attempts: 0, timestamp: clock.now(), expiresAt: null }
        await logs.add([{ ...blockedRow, ...rest }])
      }
      const facts = { actor: by.userId, ip: by.ip, requestId: by.requestId }
      security('unauthorized-log-deleted', { ...facts, detail: `${row.ip} ${row.method} ${row.url}` })
    }
  }
}
