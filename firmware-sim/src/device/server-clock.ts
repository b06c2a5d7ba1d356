/** A board has no clock of its own worth trusting: it learns the server's from the acknowledgements of its reports. */
export type ServerClock = {
  /** `serverTime - now` of the last acknowledgements of this boot. */
  readonly samples: readonly number[]
  /** What the last boot knew; the clock chip kept it. Good enough for a timetable, not for a command's expiry. */
  readonly remembered: number | null
}

const samplesKept = 8
/** No acknowledgement is under way for longer; one that seems to be was sent after the server's clock was set back. */
const longestWayMs = 10_000

export const createServerClock = (remembered: number | null): ServerClock => ({ samples: [], remembered })

export function learn(clock: ServerClock, serverTime: number, now: number): ServerClock {
  const sample = serverTime - now
  const wasSetBack = clock.samples.some((earlier) => earlier - sample > longestWayMs)
  return { ...clock, samples: wasSetBack ? [sample] : [...clock.samples, sample].slice(-samplesKept) }
}

/**
 * The difference to the server's clock, or null while nothing was acknowledged in this boot. Every sample is too small
 * by the time its message travelled, so the largest is the best; only the newest count, for the board's own clock may drift.
 */
export function learntOffset(clock: ServerClock): number | null {
  return clock.samples.length === 0 ? null : Math.max(...clock.samples)
}

/** The server's time, or null while commands have to be taken as fresh. */
export function serverNow(clock: ServerClock, now: number): number | null {
  const offset = learntOffset(clock)
  return offset === null ? null : now + offset
}

/** The best idea of the difference to the server's clock, also right after a power cut. */
export const bestOffset = (clock: ServerClock): number | null => learntOffset(clock) ?? clock.remembered
