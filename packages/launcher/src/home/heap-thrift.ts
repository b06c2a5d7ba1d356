import type { Timers } from '@batti/kit/clock'

/** Messages between api and boards in a second, both ways, that are many: some five hundred taps. */
const many = 1500
/** Seconds of many in a row that make a load. Two hundred boards that come back together have said all sooner. */
const secondsOfLoad = 3
/** Messages in a second that are few: a pause of 0.1 s, in which what a load has left is collected, meets hardly a tap. */
const few = 100
/** After so long with few what a load has left is collected: V8 alone would keep it for as long as little comes. */
const restMs = 10_000

/** V8's flags. More room for young objects pays where many die in it; few of them only miss the processor's cache more often. */
const small = ['--optimize-for-size', '--semi-space-growth-factor=1']
const fast = ['--no-optimize-for-size', '--semi-space-growth-factor=2']

/**
 * Keeps the heap of a home small, but not under a load: there, to collect old objects early costs a third of the processor. From
 * the first second without many messages on it is kept small again, and after a rest what the load has left is given back.
 */
export function createHeapThrift(options: {
  clock: Pick<Timers, 'monotonic' | 'after'>
  /** `setFlagsFromString` of node:v8. */
  setFlag(flag: string): void
  /** Collects all garbage at once, and returns what then is free. */
  collect(): void
}): {
  /** A message passed between api and boards. */
  passed(): void
} {
  const { clock, setFlag, collect } = options
  let since = clock.monotonic()
  let messages = 0
  let busySeconds = 0
  /** Set from a load on, until what it has left is collected. */
  let stopWaitingForRest: (() => void) | null = null
  const set = (flags: readonly string[]): void => flags.forEach((flag) => setFlag(flag))
  const waitForRest = (): void => {
    stopWaitingForRest?.()
    stopWaitingForRest = clock.after(restMs, () => {
      stopWaitingForRest = null
      collect()
    })
  }
  set(small)

  return {
    passed() {
      messages += 1
      const now = clock.monotonic()
      const seconds = (now - since) / 1000
      if (seconds < 1) return
      const wasLoad = busySeconds >= secondsOfLoad
      const perSecond = messages / seconds
      busySeconds = perSecond >= many ? busySeconds + 1 : 0
      const isLoad = busySeconds >= secondsOfLoad
      if (isLoad !== wasLoad) set(isLoad ? fast : small)
      if (isLoad || (stopWaitingForRest !== null && perSecond >= few)) waitForRest()
      since = now
      messages = 0
    }
  }
}
