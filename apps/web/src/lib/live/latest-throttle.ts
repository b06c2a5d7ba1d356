import type { Timers } from '@batti/kit/clock'

/**
 * Throttles values to one per `intervalMs`: the first is sent at once, then the newest when the interval is over. The
 * last value is always sent.
 */
export function createLatestThrottle<T>(clock: Timers, intervalMs: number, send: (value: T) => void) {
  let waiting: { value: T } | null = null
  let isOpen = true
  const release = () => {
    if (waiting === null) {
      isOpen = true
      return
    }
    const { value } = waiting
    waiting = null
    send(value)
    clock.after(intervalMs, release)
  }
  return (value: T) => {
    if (!isOpen) {
      waiting = { value }
      return
    }
    isOpen = false
    send(value)
    clock.after(intervalMs, release)
  }
}
