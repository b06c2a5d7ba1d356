import { longestDelayMs, systemClock, type Timers } from '@batti/kit/clock'

/** Calls in the same slot share one timer. */
const slotMs = 20

/**
 * A real clock that arms only one timer, for the earliest slot. With two thousand boards, each heartbeat, retry and back-off
 * then costs a set entry instead of a timer.
 */
export function createSharedTimer(): Timers {
  const slots = new Map<number, Set<() => void>>()
  /** Slot numbers in ascending order, each once. */
  const order: number[] = []
  let timer: NodeJS.Timeout | null = null
  let armedFor = Infinity

  function arm(): void {
    const first = order[0] ?? Infinity
    if (first === armedFor) return
    if (timer !== null) clearTimeout(timer)
    armedFor = first
    timer =
      first === Infinity
        ? null
        : setTimeout(fire, Math.min(Math.max(0, first * slotMs - systemClock.monotonic()), longestDelayMs))
  }

  function fire(): void {
    const due = Math.floor(systemClock.monotonic() / slotMs)
    armedFor = Infinity
    timer = null
    for (let first = order[0]; first !== undefined && first <= due; first = order[0]) {
      order.shift()
      const calls = slots.get(first) ?? []
      slots.delete(first)
      for (const run of calls) run()
    }
    arm()
  }

  return {
    // Boards do not depend on this machine's wall clock, which may be set back by hours: their heartbeats must continue.
    now: () => Math.floor(performance.timeOrigin + performance.now()),
    monotonic: systemClock.monotonic,
    after(delayMs, run) {
      const slot = Math.ceil((systemClock.monotonic() + delayMs) / slotMs)
      const call = (): void => run()
      let calls = slots.get(slot)
      if (calls === undefined) {
        calls = new Set()
        slots.set(slot, calls)
        order.splice(insertionPoint(order, slot), 0, slot)
      }
      calls.add(call)
      arm()
      return () => {
        calls.delete(call)
        if (calls.size > 0 || slots.get(slot) !== calls) return
        slots.delete(slot)
        order.splice(insertionPoint(order, slot), 1)
        arm()
      }
    }
  }
}

function insertionPoint(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? Infinity) < value) low = middle + 1
    else high = middle
  }
  return low
}
