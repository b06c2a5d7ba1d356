import type { Timers } from '@batti/kit/clock'

/** Messages per second between api and boards, both ways, that count as high traffic: some five hundred taps. */
const many = 1500
/** Consecutive seconds of high traffic that count as a load. A reconnect storm of two hundred boards is over sooner. */
const secondsOfLoad = 3
/** Messages per second that count as low traffic: a full collection, a pause of 0.1 s, then hardly delays a tap. */
const few = 100
/** Low traffic must last this long before the garbage of a load is collected. V8 alone would keep it while idle. */
const restMs = 30_000

/** V8 flags. A large young generation pays off when many objects die in it; else it only causes more CPU cache misses. */
const small = ['--optimize-for-size', '--semi-space-growth-factor=1']
const fast = ['--no-optimize-for-size', '--semi-space-growth-factor=2']

/**
 * Keeps the heap of a home small except under load, when early collection of old objects costs a third of the CPU. The first
 * second without high traffic makes it small again; after `restMs` of low traffic the garbage of the load is released.
 */
export function createHeapTuner(options: {
  clock: Pick<Timers, 'monotonic' | 'after'>
  /** `setFlagsFromString` of node:v8. */
  setFlag(flag: string): void
  /** Runs a full collection, and returns the freed memory to the system. */
  collect(): void
}): {
  /** Counts a message between api and boards. */
  passed(): void
} {
  const { clock, setFlag, collect } = options
  let since = clock.monotonic()
  let messages = 0
  let busySeconds = 0
  /** Set from a load until its garbage is collected. */
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
