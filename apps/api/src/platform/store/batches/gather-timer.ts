export interface GatherTimerOptions {
  /** How long a batch gathers if a caller waits for it, and how long if none does. */
  gatherMs: number
  calmMs: number
  run(): void
}

/** Under load, a batch gathers for three times as long as the last one took, but no longer than this. */
const maxGatherMs = 100

/** Schedules the next batch. At most one timer runs; an urgent one replaces a calm one. */
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
    /** `atOnce`: do not gather any longer. `lastTookMs`: how long the last batch took. */
    set({ hurries, atOnce, lastTookMs }: { hurries: boolean; atOnce: boolean; lastTookMs: number }): void {
      if (stop !== null && (isHurried || !hurries)) return
      cancel()
      isHurried = hurries
      if (gatherMs > 0 && !atOnce) {
        const busyMs = Math.min(Math.max(gatherMs, lastTookMs * 3), maxGatherMs)
        const timer = setTimeout(fire, hurries ? busyMs : Math.max(calmMs, busyMs))
        stop = () => clearTimeout(timer)
      } else {
        // Waits at least for this turn of the event loop to end, so that everything from one packet goes into one commit.
        const immediate = setImmediate(fire)
        stop = () => clearImmediate(immediate)
      }
    }
  }
}
