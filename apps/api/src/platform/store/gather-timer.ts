export interface GatherTimerOptions {
  /** How long what somebody waits for collects, and how long what nobody waits for. */
  gatherMs: number
  calmMs: number
  run(): void
}

/** A busy store collects for three times as long as its last batch took, but no longer than this. */
const maxGatherMs = 100

/** When the next batch is written. One timer runs at most; one for somebody who waits takes the place of a calm one. */
export function createGatherTimer({ gatherMs, calmMs, run }: GatherTimerOptions) {
  let stop: (() => void) | null = null
  let isHurried = false

  function cancel(): void {
    stop?.()
    stop = null
  }
  function fire(): void {
    stop = null
    run()
  }

  return {
    cancel,
    /** `atOnce`: nothing more is to gather. `lastTookMs`: what the last batch took. */
    set({ hurries, atOnce, lastTookMs }: { hurries: boolean; atOnce: boolean; lastTookMs: number }): void {
      if (stop !== null && (isHurried || !hurries)) return
      cancel()
      isHurried = hurries
      if (gatherMs > 0 && !atOnce) {
        const busyMs = Math.min(Math.max(gatherMs, lastTookMs * 3), maxGatherMs)
        const timer = setTimeout(fire, hurries ? busyMs : Math.max(calmMs, busyMs))
        stop = () => clearTimeout(timer)
      } else {
        // At the least after this turn of the event loop, so that everything one packet brought goes into one commit.
        const immediate = setImmediate(fire)
        stop = () => clearImmediate(immediate)
      }
    }
  }
}
