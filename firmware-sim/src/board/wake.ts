import type { Timers } from '@batti/kit/clock'

/** One timer for what a board does next by itself. An early tick costs nothing; re-arming after every message would. */
export function createWake(clock: Timers, tick: () => void) {
  let armed: { at: number; cancel: () => void } | null = null
  function fire(): void {
    armed = null
    tick()
  }
  return {
    /** Unless it goes off before that anyway; Infinity: nothing is to come. */
    arm(at: number): void {
      if (at === Infinity || (armed !== null && armed.at <= at)) return
      armed?.cancel()
      armed = { at, cancel: clock.after(at - clock.now(), fire) }
    },
    cancel: (): void => armed?.cancel()
  }
}
