import { addressGroup } from '@batti/kit/address'

/** One connection that has not authenticated yet. */
export interface PendingConnection {
  /** The peer has sent its part and waits for the broker: it cannot be evicted. */
  spoke: () => void
  /** The broker waits for the peer again: it can be evicted after the grace. */
  silentAgain: () => void
  /** The peer has authenticated, or is gone. Idempotent. */
  leave: () => void
}

/** A connection that asks for admission. */
export interface NewConnection {
  enter: (pending: PendingConnection) => void
  /** Ends the connection: it timed out, it was evicted, or there was no room. */
  close: () => void
}

export interface PendingLimits {
  readonly perAddress: number
  readonly total: number
  readonly timeMs: number
  /** How long a connection may be silent before a new one may evict it. */
  readonly graceMs: number
  /** How many new connections of one address may wait for a place; `waitMs` is for how long. The others are rejected. */
  readonly waitingPerAddress: number
  readonly waitMs: number
}

interface Entry {
  readonly address: Address
  silentSince: number | null
  /** Removes the entry without admitting a waiting connection. Returns whether the entry was still present. */
  readonly remove: () => boolean
  readonly close: () => void
}
interface Waiting {
  readonly connection: NewConnection
  readonly since: number
}
interface Address {
  readonly key: string
  readonly pending: Set<Entry>
  readonly waiting: Set<Waiting>
  timer: NodeJS.Timeout | undefined
}

/**
 * Limits unauthenticated connections: per address, in total, and in time. A new connection evicts the oldest silent one.
 * When all of them wait for the broker, new ones queue in order, and are rejected after `waitMs`. A short silence does not
 * count: when 1,000 boards of one address reconnect at once, the broker accepts them before it reads their first bytes,
 * and would otherwise evict every one of them unheard. `now` in milliseconds, monotonic.
 */
export function createConnectionLimits(limits: PendingLimits, now: () => number) {
  const addresses = new Map<string, Address>()
  const everybody = new Set<Entry>()
  let waitingCount = 0
  let ended = false

  /** Evicts the oldest entry that has been silent for the grace. A Set iterates in order of arrival. */
  function makeRoom(entries: Set<Entry>): void {
    for (const entry of entries) {
      if (entry.silentSince === null || now() - entry.silentSince < limits.graceMs) continue
      entry.remove()
      entry.close()
      forget(entry.address)
      return
    }
  }

  function hasRoom({ pending }: Address): boolean {
    if (pending.size >= limits.perAddress) makeRoom(pending)
    if (pending.size < limits.perAddress && everybody.size >= limits.total) makeRoom(everybody)
    return !ended && pending.size < limits.perAddress && everybody.size < limits.total
  }

  function forget({ key, pending, waiting }: Address): void {
    if (pending.size === 0 && waiting.size === 0) addresses.delete(key)
  }

  function admit(address: Address, connection: NewConnection): void {
    const leave = () => {
      if (entry.remove()) serve(address)
    }
    const entry: Entry = {
      address,
      silentSince: now(),
      remove: () => {
        clearTimeout(timer)
        everybody.delete(entry)
        return address.pending.delete(entry)
      },
      close: () => {
        leave()
        connection.close()
      }
    }
    const timer = setTimeout(entry.close, limits.timeMs)
    address.pending.add(entry)
    everybody.add(entry)
    connection.enter({
      spoke: () => {
        entry.silentSince = null
      },
      silentAgain: () => {
        entry.silentSince = now()
      },
      leave
    })
  }

  /** Returns whether it was still waiting. */
  function stopWaiting(address: Address, waiting: Waiting): boolean {
    const isRemoved = address.waiting.delete(waiting)
    if (isRemoved) waitingCount -= 1
    return isRemoved
  }

  /** Admits waiting connections in order of arrival, and closes those that have waited for too long. */
  function serve(address: Address): void {
    for (const waiting of address.waiting) {
      const isRoom = hasRoom(address)
      if (!isRoom && !ended && now() - waiting.since < limits.waitMs) break
      stopWaiting(address, waiting)
      if (isRoom) admit(address, waiting.connection)
      else waiting.connection.close()
    }
    clearTimeout(address.timer)
    const [first] = address.waiting
    if (first === undefined) {
      forget(address)
      return
    }
    const leftMs = first.since + limits.waitMs - now()
    address.timer = setTimeout(() => serve(address), Math.min(limits.graceMs, leftMs))
  }

  return {
    /** Admits the connection, queues it, or closes it. Returns a function to call when the connection is gone. */
    arrive(ip: string, connection: NewConnection): () => void {
      const key = addressGroup(ip)
      const address = addresses.get(key) ?? { key, pending: new Set(), waiting: new Set(), timer: undefined }
      addresses.set(key, address)
      const waiting = { connection, since: now() }
      address.waiting.add(waiting)
      waitingCount += 1
      serve(address)
      const isTooMany = address.waiting.size > limits.waitingPerAddress || waitingCount > limits.total
      if (isTooMany && stopWaiting(address, waiting)) connection.close()
      return () => void stopWaiting(address, waiting)
    },
    /** Closes all waiting and pending connections when the broker stops. */
    endAll(): void {
      ended = true
      for (const address of addresses.values()) serve(address)
      for (const entry of everybody) entry.close()
    },
    count: (): number => everybody.size
  }
}

export type ConnectionLimits = ReturnType<typeof createConnectionLimits>
