/**
 * Time for the edges: `now` in milliseconds since the epoch, and one call back at (or soon after) an instant.
 * The pure parts take `now` as an argument instead.
 */
export type Clock = {
  now(): number
  /** Calls `run` once at `at`, or as soon as possible when that is past. Returns the undo. */
  wake(at: number, run: () => void): () => void
}

/** Calls that fall into the same slot share one timer. */
const slotMs = 20

/**
 * The real clock: however many boards wait, one timer is armed, for the earliest slot. Two thousand boards with a
 * heartbeat, retries and back-offs of their own then cost a set entry each, not a timer each.
 */
export function createClock(): Clock {
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
    timer = first === Infinity ? null : setTimeout(fire, Math.min(Math.max(0, first * slotMs - Date.now()), 0x7fffffff))
  }

  function fire(): void {
    const due = Math.floor(Date.now() / slotMs)
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
    now: () => Date.now(),
    wake(at, run) {
      const slot = Math.ceil(at / slotMs)
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

export type ManualClock = Clock & {
  /** Moves time on and makes every call that falls due on the way, in order. */
  advance(ms: number): void
}

/** A clock that stands still until told: for tests of what happens in minutes and days. */
export function createManualClock(start = 0): ManualClock {
  let current = start
  const calls = new Set<{ at: number; run: () => void }>()
  return {
    now: () => current,
    wake(at, run) {
      const call = { at, run }
      calls.add(call)
      return () => calls.delete(call)
    },
    advance(ms) {
      const end = current + ms
      for (;;) {
        const due = [...calls].filter((call) => call.at <= end).toSorted((a, b) => a.at - b.at)[0]
        if (due === undefined) break
        calls.delete(due)
        current = Math.max(current, due.at)
        due.run()
      }
      current = end
    }
  }
}
