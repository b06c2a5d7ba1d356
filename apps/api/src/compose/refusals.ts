import type { RequestHandler } from 'express'
import type { Connection } from 'mongoose'
import type { Logger } from 'pino'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import type { EventBus } from '../platform/events.ts'
import { createAddressBlocks, createNeverBlocked } from '../features/unauthorized-logs/address-blocks.ts'
import { createRefusalCounter, type Refusal } from '../features/unauthorized-logs/refusal-counter.ts'
import {
  createBlockedAddressModel,
  createUnauthorizedLogModel
} from '../features/unauthorized-logs/unauthorized-log.model.ts'
import { createUnauthorizedLogsRepository } from '../features/unauthorized-logs/unauthorized-logs.repository.ts'
import { unauthorizedLogRoutes } from '../features/unauthorized-logs/unauthorized-logs.routes.ts'
import { createUnauthorizedLogsService } from '../features/unauthorized-logs/unauthorized-logs.service.ts'
import type { RouteHandler } from '../platform/http/call.ts'
import type { SecurityLog } from '../platform/log/security-log.ts'

export interface Refusals {
  handlers: RouteHandler[]
  guard: RequestHandler
  isBlocked(ip: string): boolean
  record(refusal: Refusal): void
  count(): Promise<number>
  ensureIndexes(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** Who was refused, how often, and which addresses may not come any more. */
export function composeRefusals(parts: {
  config: Config
  connection: Connection
  clock: Clock
  events: EventBus
  log: Logger
  security: SecurityLog
}): Refusals {
  const { config, connection, clock, events, log, security } = parts
  const models = [createUnauthorizedLogModel(connection), createBlockedAddressModel(connection)] as const
  const blocks = createAddressBlocks({ model: models[1], events, log })
  const logs = createUnauthorizedLogsRepository(models[0])
  const refusals = createRefusalCounter({ logs, isBlocked: blocks.isBlocked, clock, log })
  const isNeverBlocked = createNeverBlocked(config.TRUST_PROXY)

  return {
    handlers: unauthorizedLogRoutes({
      logs: createUnauthorizedLogsService({ logs, refusals, blocks, isNeverBlocked, clock, security })
    }),
    guard: blocks.guard,
    isBlocked: blocks.isBlocked,
    record: refusals.record,
    count: () => logs.count(),
    async ensureIndexes() {
      await Promise.all(models.map((model) => model.createIndexes()))
    },
    async start() {
      await blocks.load()
      blocks.start()
      refusals.start()
    },
    async stop() {
      blocks.stop()
      await refusals.stop()
    }
  }
}
