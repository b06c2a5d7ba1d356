import type { Logger } from 'pino'
import { AppError } from '../../../platform/app-error.ts'
import type { RateLimits } from '../../../platform/http/limits/rate-limits.ts'
import type { AccountLimits } from '../limits.ts'

/** Limits for sending codes, counted before any lookup: the same for an unknown address. */
export interface SendingLimits {
  mail(receiver: string, ip: string): Promise<void>
  text(receiver: string, ip: string): Promise<void>
}

export function createSendingLimits(deps: { limits: RateLimits; limit: AccountLimits; log: Logger }): SendingLimits {
  const { limits, limit, log } = deps
  return {
    async mail(receiver, ip) {
      await limits.consume(limit.mailCodesPerIp, ip)
      await limits.consume(limit.mailCodesPerReceiver, receiver)
    },
    async text(receiver, ip) {
      await limits.consume(limit.textsPerIp, ip)
      await limits.consume(limit.textsPerNumber, receiver)
      try {
        await limits.consume(limit.textsPerDay, 'all')
      } catch (error) {
        // An alarm: either usage has grown, or somebody is earning money with our codes.
        if (error instanceof AppError)
          log.error({ limit: limit.textsPerDay.points }, 'text messages: the daily limit is reached')
        throw error
      }
    }
  }
}
