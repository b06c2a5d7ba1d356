import { addressGroup } from '@batti/kit/address'

/** One connection that has not authenticated yet. */
export interface PendingConnection {
  /** It said what was its turn to say, and waits for us: no longer one to make room. */
  spoke: () => void
  /** Its turn again. */
  silentAgain: () => void
  /** It authenticated, or is gone. Safe to call twice. */
  leave: () => void
}

/** A connection that asks to be let in. */
export interface NewConnection {
  enter: (pending: PendingConnection) => void
  /** End the connection: its time is over, it has to make room, or there was no room. */
  close: () => void
}

export interface PendingLimits {
  readonly perAddress: number
  readonly total: number
  readonly timeMs: number
  /** How long one may be silent before it has to make room for a new one. */
  readonly graceMs: number
  /** So many new ones of one address may wait, for so long; the others are turned away. */
  readonly waitingPerAddress: number
  readonly waitMs: number
}

interface Entry {
  silentSince: number | null
  /** Takes it out of the book, without giving its place to who waits; answers whether it was in it. */
  readonly remove: () => boolean
  readonly close: () => void
}
interface Address {
  readonly pending: Set<Entry>
  readonly waiting: Set<() => void>
}

/**
 * Bounds connections of strangers: so many an address, so many in all, so long each. The oldest silent one makes room for a
 * new one; where all of them wait for us, the new ones wait in order, and are turned away in the end. Silence of a moment does not count: when
 * 1,000 boards of one address come back at once we have accepted them before we read their first byte, and throwing out whom
 * we have not listened to would leave nobody. `now` in milliseconds, monotonic.
 */
export function createConnectionLimits(limits: PendingLimits, now: () => number) {
  const addresses = new Map<string, Address>()
  const everybody = new Set<Entry>()
  let waitingCount = 0
  let ended = false

  /** Closes the first of them (sets keep the order of arrival) that has been silent for the grace. */
  function makeRoom(entries: Set<Entry>): void {
    for (const entry of entries) {
      if (entry.silentSince === null || now() - entry.silentSince < limits.graceMs) continue
      entry.remove()
      entry.close()
      return
    }
  }

  function hasRoom({ pending }: Address): boolean {
    if (pending.size >= limits.perAddress) makeRoom(pending)
    if (pending.size < limits.perAddress && everybody.size >= limits.total) makeRoom(everybody)
    return !ended && pending.size < limits.perAddress && everybody.size < limits.total
  }

  function letIn(key: string, address: Address, connection: NewConnection): void {
    const leave = () => {
      if (!entry.remove()) return
      const [next] = address.waiting
      if (next !== undefined) next()
      else forget(key, address)
    }
    const entry: Entry = {
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

  function wait(key: string, address: Address, connection: NewConnection): () => void {
    const since = now()
    const stop = () => {
      clearTimeout(timer)
      if (address.waiting.delete(retry)) waitingCount -= 1
      forget(key, address)
    }
    const retry = () => {
      clearTimeout(timer)
      const isRoom = hasRoom(address)
      if (!isRoom && !ended && now() - since < limits.waitMs) {
        timer = setTimeout(retry, limits.graceMs)
        return
      }
      stop()
      addresses.set(key, address)
      if (isRoom) letIn(key, address, connection)
      else connection.close()
      forget(key, address)
    }
    let timer = setTimeout(retry, limits.graceMs)
    address.waiting.add(retry)
    waitingCount += 1
    return stop
  }

  function forget(key: string, { pending, waiting }: Address): void {
    if (pending.size === 0 && waiting.size === 0) addresses.delete(key)
  }

  return {
    /** Lets the connection in now, in a moment, or not at all. Call what it answers when the connection is gone. */
    arrive(ip: string, connection: NewConnection): () => void {
      const key = addressGroup(ip)
      const address = addresses.get(key) ?? { pending: new Set(), waiting: new Set() }
      addresses.set(key, address)
      if (hasRoom(address)) letIn(key, address, connection)
      else if (address.waiting.size < limits.waitingPerAddress && waitingCount < limits.total)
        return wait(key, address, connection)
      else connection.close()
      forget(key, address)
      return () => {}
    },
    /** Ends all of them, when the broker stops. */
    endAll(): void {
      ended = true
      for (const { waiting } of addresses.values()) for (const retry of waiting) retry()
      for (const entry of everybody) entry.close()
    },
    count: (): number => everybody.size
  }
}

export type ConnectionLimits = ReturnType<typeof createConnectionLimits>
