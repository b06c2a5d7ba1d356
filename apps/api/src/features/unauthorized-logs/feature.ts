import type { AddressFilter } from '../../platform/http/addresses/address-filter.ts'
import { auditSubject, type Audit } from '../../platform/audit.ts'
import type { Platform } from '../../platform/platform.ts'
import { ensureIndexes } from '../../platform/store/ensure-indexes.ts'
import { createAddressBlocks, createNeverBlocked } from './address-blocks.ts'
import type { AddressBook } from './address-book.ts'
import { createRefusalCounter } from './refusal-counter.ts'
import { createRefusalHours } from './refusal-hours.ts'
import {
  createBlockedAddressModel,
  createRefusalHourModel,
  createUnauthorizedLogModel,
  type UnauthorizedLogDocument
} from './unauthorized-log.model.ts'
import { createUnauthorizedLogsRepository } from './unauthorized-logs.repository.ts'
import { unauthorizedLogRoutes } from './unauthorized-logs.routes.ts'
import { createUnauthorizedLogsService } from './unauthorized-logs.service.ts'

/** Refused requests, their counts, and blocked addresses. */
export function createUnauthorizedLogsFeature(
  deps: Pick<Platform, 'config' | 'connection' | 'clock' | 'cluster' | 'events' | 'isAlone' | 'log' | 'security'> & {
    audit: Audit
  }
) {
  const { config, connection, clock, events, log, security } = deps
  const models = [
    createUnauthorizedLogModel(connection),
    createBlockedAddressModel(connection),
    createRefusalHourModel(connection)
  ] as const
  const blocks = createAddressBlocks({ ...deps, model: models[1] })
  const logs = createUnauthorizedLogsRepository(models[0])
  const hours = createRefusalHours(models[2])
  const lastHours = () => hours.last(clock.now())
  let addresses: AddressBook = nobodyKnown
  const refusals = createRefusalCounter({ logs, hours, blockedUntil: blocks.untilOf, clock, log })
  const isNeverBlocked = createNeverBlocked(config.TRUST_PROXY)
  const addressFilter: AddressFilter = { guard: blocks.guard, isBlocked: blocks.isBlocked }
  events.on('refused', refusals.record)

  return {
    routes: unauthorizedLogRoutes({
      audit: deps.audit,
      find: auditSubject(
        (id) => models[0].findById(id).lean<UnauthorizedLogDocument>(),
        ({ ip, method, url }) => `${ip} ${method} ${url}`,
        ['expiresAt']
      ),
      async findBlock(id) {
        const row = await logs.find(id)
        if (row === null) return null
        const until = await blocks.storedUntilOf(row.ip)
        const fields = { blocked: until !== undefined, until: typeof until === 'number' ? new Date(until) : null }
        return { label: row.ip, fields }
      },
      logs: createUnauthorizedLogsService({
        logs,
        refusals,
        lastHours,
        blocks,
        addresses: () => addresses,
        isNeverBlocked,
        clock,
        security
      })
    }),
    /** Refuses blocked addresses. */
    addressFilter,
    count: () => logs.count(),
    /** Returns the refusals of each of the last 24 hours. */
    lastHours,
    /** Sets the address book later, because accounts, sessions and boards are created after this feature. */
    askAt: (book: AddressBook): void => void (addresses = book),
    /** Stores the counts now; otherwise they are stored periodically. */
    flush: refusals.flush,
    indexes: () => ensureIndexes(...models),
    async start() {
      await blocks.load()
      blocks.start()
    },
    async stop() {
      blocks.stop()
      await refusals.stop()
    }
  }
}

const nobodyKnown: AddressBook = {
  usersAt: () => Promise.resolve(new Map()),
  hasAdmin: () => Promise.resolve(false),
  nameUsers: () => Promise.resolve([]),
  countBoards: () => Promise.resolve(0)
}
