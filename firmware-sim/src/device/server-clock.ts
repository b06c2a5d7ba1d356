/** The board's estimate of the server's clock, from the acknowledgements of its reports. Its own clock is not accurate. */
export interface ServerClock {
  /** `serverTime - now` of the last acknowledgements of this boot. */
  readonly samples: readonly number[]
  /** The offset of the last boot, kept by the clock chip. Accurate enough for a timetable, not for the expiry of a command. */
  readonly remembered: number | null
}

const samplesKept = 8
/** No acknowledgement takes longer. One that seems to was sent after the server's clock was set back. */
const longestWayMs = 10_000
/** How far the board's own clock may drift while a report waits for its acknowledgement. */
const driftMs = 1000

export const createServerClock = (remembered: number | null): ServerClock => ({ samples: [], remembered })

/**
 * Learns from an acknowledgement. `sentAt` is when its report was first sent, if that is known: the server cannot have
 * acknowledged it earlier, so an offset by which it would have was learnt before the server's clock was set back.
 */
export function learn(clock: ServerClock, serverTime: number, sentAt: number | null, now: number): ServerClock {
  const sample = serverTime - now
  const largest = sentAt === null ? Infinity : serverTime - sentAt + driftMs
  const wasSetBack = clock.samples.some((earlier) => earlier > largest || earlier - sample > longestWayMs)
  return { ...clock, samples: wasSetBack ? [sample] : [...clock.samples, sample].slice(-samplesKept) }
}

/**
 * Returns the offset to the server's clock; null before the first acknowledgement of this boot. Each sample is too small by
 * the latency of its message, so the largest is the best. Only the newest count, because the board's own clock may drift.
 */
export function offsetOf(clock: ServerClock): number | null {
  return clock.samples.length === 0 ? null : Math.max(...clock.samples)
}

/** Returns the server's time; null while it is unknown and commands count as fresh. */
export function serverNow(clock: ServerClock, now: number): number | null {
  const offset = offsetOf(clock)
  return offset === null ? null : now + offset
}

/** Returns the best known offset to the server's clock, also right after a power cut. */
export const bestOffset = (clock: ServerClock): number | null => offsetOf(clock) ?? clock.remembered
