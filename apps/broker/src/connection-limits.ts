/** One connection that has not authenticated yet. */
export interface Guest {
  /** It said what was its turn to say, and waits for us: no longer one to make room. */
  spoke: () => void
  /** Its turn again. */
  silentAgain: () => void
  /** It authenticated, or is gone. Safe to call twice. */
  leave: () => void
}

export interface GuestLimits {
  readonly perAddress: number
  readonly total: number
  readonly timeMs: number
}

/**
 * Bounds connections of strangers: so many an address, so many in all, so long each. The oldest silent one makes room for a
 * new one; where all of them wait for us, the new one is turned away. Source: wire §3.
 */
export function createConnectionLimits(limits: GuestLimits) {
  interface Entry {
    silent: boolean
    close: () => void
  }
  const byAddress = new Map<string, Set<Entry>>()
  const everybody = new Set<Entry>()

  /** Sets keep the order of arrival. */
  function makeRoom(entries: Set<Entry>): boolean {
    for (const entry of entries) {
      if (!entry.silent) continue
      entry.close()
      return true
    }
    return false
  }

  return {
    /** Null = no room. `close` must end the connection; it is called when its time is over or it has to make room. */
    admit(address: string, close: () => void): Guest | null {
      const key = addressGroup(address)
      const ofAddress = byAddress.get(key) ?? new Set<Entry>()
      if (ofAddress.size >= limits.perAddress && !makeRoom(ofAddress)) return null
      if (everybody.size >= limits.total && !makeRoom(everybody)) return null
      const leave = () => {
        clearTimeout(timer)
        everybody.delete(entry)
        ofAddress.delete(entry)
        if (ofAddress.size === 0 && byAddress.get(key) === ofAddress) byAddress.delete(key)
      }
      const entry: Entry = {
        silent: true,
        close: () => {
          leave()
          close()
        }
      }
      const timer = setTimeout(entry.close, limits.timeMs)
      ofAddress.add(entry)
      byAddress.set(key, ofAddress)
      everybody.add(entry)
      return {
        spoke: () => {
          entry.silent = false
        },
        silentAgain: () => {
          entry.silent = true
        },
        leave
      }
    },
    /** Ends all of them, when the broker stops. */
    endAll(): void {
      for (const entry of everybody) entry.close()
    },
    count: (): number => everybody.size
  }
}

export type ConnectionLimits = ReturnType<typeof createConnectionLimits>

/** An IPv6 host owns a whole /64, so that is what counts as one address there. */
export function addressGroup(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail = ''] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const zeros = address.includes('::') ? Math.max(0, 8 - left.length - right.length) : 0
  return `${[...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4).join(':')}::/64`
}

/** `::ffff:192.0.2.1` is 192.0.2.1 met on an IPv6 socket. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
