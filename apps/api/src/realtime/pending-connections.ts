import { addressGroup } from '@batti/kit/address'

/** Several homes stand behind one address, and after a restart all their tabs come back at once. */
const pendingPerAddress = 200

export interface PendingConnections {
  /** Whether another connection of that address may come in before it has said who it is. */
  mayEnter(ip: string): boolean
  /** Answers what to call when it has authenticated, or is gone; safe to call twice. */
  enter(ip: string): () => void
}

/** Bounds connections that have not authenticated: those cost nothing to whoever opens them by the thousand. */
export function createPendingConnections(perAddress = pendingPerAddress): PendingConnections {
  const counts = new Map<string, number>()
  return {
    mayEnter: (ip) => (counts.get(addressGroup(ip)) ?? 0) < perAddress,
    enter(ip) {
      const group = addressGroup(ip)
      counts.set(group, (counts.get(group) ?? 0) + 1)
      let isHere = true
      return () => {
        if (!isHere) return
        isHere = false
        const left = (counts.get(group) ?? 1) - 1
        if (left === 0) counts.delete(group)
        else counts.set(group, left)
      }
    }
  }
}
