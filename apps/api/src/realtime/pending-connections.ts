import { addressGroup } from '@batti/kit/address'
import { createOpenCounts } from '../platform/open-counts.ts'

/** High, because several homes share one address, and all their tabs reconnect at once after a restart. */
const pendingPerAddress = 200

export interface PendingConnections {
  /** Returns whether that address may open another connection before authenticating it. */
  mayEnter(ip: string): boolean
  /** Counts a connection. Call the returned function when it has authenticated or closed; it is idempotent. */
  enter(ip: string): () => void
}

/** Limits unauthenticated connections per address, because opening thousands of them costs an attacker nothing. */
export function createPendingConnections(): PendingConnections {
  const pending = createOpenCounts()
  return {
    mayEnter: (ip) => pending.of(addressGroup(ip)) < pendingPerAddress,
    enter: (ip) => pending.open(addressGroup(ip))
  }
}
