/** How many packets one connection may still send. */
export interface PacketBudget {
  /** Whole packets it may send now. */
  available: () => number
  spend: (packets: number) => void
  /** Milliseconds until one packet is free again. */
  msUntilNext: () => number
}

export interface PacketRate {
  /** 0 = no limit. */
  readonly perSecond: number
  readonly burst: number
}

/** A token bucket: `burst` at once, `perSecond` for long. `now` in milliseconds, monotonic. Null where there is no limit. */
export function createPacketBudget(rate: PacketRate, now: () => number): PacketBudget | null {
  if (rate.perSecond === 0) return null
  const perMs = rate.perSecond / 1000
  const burst = Math.max(rate.burst, 1)
  let tokens = burst
  let at = now()
  return {
    available() {
      const time = now()
      tokens = Math.min(burst, tokens + (time - at) * perMs)
      at = time
      return Math.floor(tokens)
    },
    spend(packets) {
      tokens -= packets
    },
    msUntilNext: () => Math.max(1, Math.ceil((1 - tokens) / perMs))
  }
}
