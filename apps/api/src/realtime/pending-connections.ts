import { addressGroup } from '@batti/kit/address'
import { createOpenCounts } from '../platform/open-counts.ts'

/** Several homes stand behind one address, and after a restart all their tabs come back at once. */
const pendingPerAddress = 200

export interface PendingConnections {
  /** Whether another connection of that address may come in before it has said who it is. */
  mayEnter(ip: string): boolean
  /** Answers what to call when it has authenticated, or is gone; safe to call twice. */
  enter(ip: string): () => void
}

/** Bounds connections that have not authenticated: those cost nothing to whoever opens them by the thousand. */
export function createPendingConnections(): PendingConnections {
  const pending = createOpenCounts()
  return {
    mayEnter: (ip) => pending.of(addressGroup(ip)) < pendingPerAddress,
    enter: (ip) => pending.open(addressGroup(ip))
  }
}
