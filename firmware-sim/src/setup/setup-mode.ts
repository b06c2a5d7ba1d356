import type { Timers } from '@batti/kit/clock'
import { minuteMs } from '@batti/kit/durations'
import type { Phase } from '../board/board-phase.ts'

/** Setup mode lasts this long after power-on. */
export const setupModeMs = 10 * minuteMs

/** Controls the period after power-on in which a new board accepts the setup form. */
export function createSetupMode(phase: Phase, clock: Timers, signal: AbortSignal) {
  const endsAt = clock.now() + setupModeMs
  const isSetup = (): boolean => phase.get() === 'setup'

  function end(): void {
    if (isSetup() && !signal.aborted) phase.enter('setup-over', 'Pull the plug and put it back for ten more minutes.')
  }

  return {
    open(): void {
      phase.enter('setup')
      signal.addEventListener('abort', clock.after(setupModeMs, end))
    },
    isOpen: (): boolean => isSetup() && clock.now() < endsAt,
    /** On the board's clock, milliseconds; null outside setup mode. */
    endsAt: (): number | null => (isSetup() ? endsAt : null)
  }
}
