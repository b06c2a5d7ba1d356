import { AppError } from '../../../platform/app-error.ts'
import type { RateLimits } from '../../../platform/http/limits/rate-limits.ts'
import type { SecurityLog } from '../../../platform/log/security-log.ts'
import type { AccountLimits } from '../limits.ts'
import type { Client } from '../../../platform/people/client.ts'

/** Spends or checks codes and links: `spend` throws an AppError for a wrong one. Those are counted per address, whatever their purpose. */
export function createCodeSpender(deps: { limits: RateLimits; limit: AccountLimits; security: SecurityLog }) {
  const { limits, limit, security } = deps
  return async <Found>(client: Client, detail: string, spend: () => Promise<Found>): Promise<Found> => {
    await limits.check(limit.wrongCodesPerIp, client.ip)
    try {
      return await spend()
    } catch (error) {
      // The database is down, which says nothing about the code.
      if (!(error instanceof AppError)) throw error
      await limits.count(limit.wrongCodesPerIp, client.ip)
      security('code-failed', { ip: client.ip, requestId: client.requestId, detail })
      throw error
    }
  }
}
