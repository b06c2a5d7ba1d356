import { tokenRenewalGraceMs } from '@batti/contracts'
import type { Timers } from '@batti/kit/clock'
import { z } from 'zod'
import type { TokenWatch } from '../platform/sockets.ts'

const claims = z.object({ exp: z.int() })

/** Returns when a token expires, in milliseconds. The token has been verified before. */
function expiryOf(token: string): number {
  const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
  return claims.parse(payload).exp * 1000
}

/** Keeps a connection from outliving its access token: asks for a new one, and closes it 30 s later without it. */
export function createTokenWatch(parts: {
  timers: Timers
  onExpired(endsAt: number): void
  onEnd(): void
}): TokenWatch {
  const { timers, onExpired, onEnd } = parts
  let cancel = (): void => {}

  function expire(): void {
    cancel = timers.after(tokenRenewalGraceMs, onEnd)
    onExpired(timers.now() + tokenRenewalGraceMs)
  }

  return {
    renewed(token) {
      cancel()
      cancel = timers.after(expiryOf(token) - timers.now(), expire)
    },
    stop: () => cancel()
  }
}
