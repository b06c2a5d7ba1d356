const stepMs = 100

/**
 * Starts a clock that stands still while this process does, so that a wait is no longer on a machine that gives the process
 * no time. The returned function reads it, in milliseconds, and ends it.
 */
export function startAwakeTime(): () => number {
  let steps = 0
  // After a break, Node counts one step for it.
  const counting = setInterval(() => (steps += 1), stepMs)
  return () => {
    clearInterval(counting)
    return steps * stepMs
  }
}
