import type { Timers } from '@batti/kit/clock'

/** One timer for the next action of a board. An early tick is cheap; re-arming the timer after every message is not. */
export function createWakeTimer(clock: Timers, tick: () => void) {
  let armed: { at: number; cancel: () => void } | null = null
  function fire(): void {
    armed = null
    tick()
  }
  return {
    /** Arms the timer unless it fires earlier anyway. Infinity means that nothing is due. */
    arm(at: number): void {
      if (at === Infinity || (armed !== null && armed.at <= at)) return
      armed?.cancel()
      armed = { at, cancel: clock.after(at - clock.now(), fire) }
    },
    cancel: (): void => armed?.cancel()
  }
}
