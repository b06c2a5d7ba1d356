import type { Timers } from '@batti/kit/clock'

/** Messages per second between api and boards, both ways, that count as high traffic: some five hundred taps. */
const many = 1500
/** Consecutive seconds of high traffic that count as a load. A reconnect storm of two hundred boards is over sooner. */
const secondsOfLoad = 3
/** With fewer messages per second and less of a processor a home is at rest: a collection, a pause of 0.2 s, delays hardly a tap. */
const few = 100
const littleCpu = 0.1
const lookMs = 5000
/** Consecutive looks that must find a home at rest. */
const looksOfRest = 2
/** By how many bytes a process must have grown since its last collection to be worth another. A large one pauses longer. */
const worthCollecting = (least: number): number => Math.max(8 * 1024 * 1024, least / 16)

/**
 * V8 flags of a home without load, which its start sets: as a command-line option, `--optimize-for-size` would also limit young objects to
 * 1 MiB, which a reconnect storm fills 40 times/s. A large young generation pays off when many objects die in it; else it only
 * causes more CPU cache misses.
 */
export const smallHeap = ['--optimize-for-size', '--semi-space-growth-factor=1']
const fast = ['--no-optimize-for-size', '--semi-space-growth-factor=2']

export interface HeapTunerOptions {
  clock: Pick<Timers, 'monotonic' | 'after'>
  /** `setFlagsFromString` of node:v8. */
  setFlag(flag: string): void
  /** The CPU time that the process has used, in ms. */
  cpuMs(): number
  /** The resident memory of the process. */
  residentBytes(): number
  /** Runs a full collection, and returns the freed memory to the system. The first one finds what the start has left. */
  collect(after: 'start' | 'growth'): void
}

/**
 * Keeps the heap of a home small except under load, when early collection of old objects costs a third of the CPU. The first
 * second without high traffic makes it small again. What a start, a load or anything else has left is collected at rest.
 */
export function createHeapTuner({ clock, setFlag, ...options }: HeapTunerOptions): {
  /** Counts a message between api and boards. */
  passed(): void
} {
  let since = clock.monotonic()
  let messages = 0
  let busySeconds = 0
  const rest = watchForRest({ ...options, clock })
  const set = (flags: readonly string[]): void => flags.forEach((flag) => setFlag(flag))

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
      if (isLoad !== wasLoad) set(isLoad ? fast : smallHeap)
      if (perSecond >= few) rest.isOver()
      since = now
      messages = 0
    }
  }
}

/** Collects at rest if the process has grown. Call `isOver` while there is traffic. */
function watchForRest(options: Omit<HeapTunerOptions, 'setFlag'>): { isOver(): void } {
  const { clock, cpuMs, residentBytes, collect } = options
  let last = { at: clock.monotonic(), cpu: cpuMs() }
  let looks = 0
  /** Resident memory at rest, at its lowest since the last collection; 0 before the first. */
  let least = 0

  function look(): void {
    clock.after(lookMs, look)
    const now = { at: clock.monotonic(), cpu: cpuMs() }
    looks = now.cpu - last.cpu < (now.at - last.at) * littleCpu ? looks + 1 : 0
    last = now
    if (looks < looksOfRest) return
    const bytes = residentBytes()
    if (bytes - least < worthCollecting(least)) {
      least = Math.min(least, bytes)
      return
    }
    collect(least === 0 ? 'start' : 'growth')
    // Memory is returned a little later. The next look sees how much is left.
    least = Infinity
  }
  clock.after(lookMs, look)
  return { isOver: () => void (looks = -1) }
}
